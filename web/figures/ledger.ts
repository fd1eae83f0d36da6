import { plainFigure, type Figure } from "./figure";

/** What was claimed, what is measured here, and where it ends. */
export const ledger: Figure = { ...plainFigure("ledger"), panel: "table", embedHeight: 1200 };
