import { plainFigure, type Figure } from "./figure";

/** Every check of the engine, run in the reader's browser. */
export const selfTest: Figure = { ...plainFigure("self-test"), panel: "checks", embedHeight: 900 };
