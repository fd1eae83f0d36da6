// The figures, one line each. To add one: a file here, a line below, and a
// <ttt-figure name="…"> in index.html. An experiment without a line gets the
// default drawing.

import { duel } from "./duel";
import { effectiveValue } from "./effective-value";
import { innerSteps } from "./inner-steps";
import { similarity } from "./similarity";
import { ascent } from "./ascent";
import { state } from "./state";
import { qVersusK } from "./q-vs-k";
import { qToK } from "./q-to-k";
import { ledger } from "./ledger";
import { paradoxLab } from "./paradox-lab";
import { selfTest } from "./self-test";
import type { Figure } from "./figure";
import { momentumAge } from "./momentum-age";
import { words } from "./words";

export const figures: readonly Figure[] = [momentumAge, duel, effectiveValue, similarity, innerSteps, ascent, qVersusK, qToK, paradoxLab, state, words, ledger, selfTest];
