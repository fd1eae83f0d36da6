// A pinned curve: the momentum of the moment, kept in the link to compare with.

import type { Values } from "./messages";
import { pack } from "./sequence";

/** The values with the present momentum pinned, one α for all tokens or one for each; or with the pin taken out. */
export function togglePin({ pin, ...values }: Values, alpha: number): Values {
  return pin === undefined ? { ...values, pin: values["alphas"] ?? pack([alpha]) } : values;
}
