import assert from "node:assert/strict";
import { test } from "node:test";
import { togglePin } from "../../pin";
import { largest, pack, stroke, unpack } from "../../sequence";

test("two-decimal values survive packing exactly", () => {
  const values = Array.from({ length: 120 }, (_, i) => i / 100);
  assert.deepEqual(unpack(pack(values), 120), values);
});

test("what is pinned is the momentum of each token, or the one of all, and a second press lets go of it", () => {
  const drawn = pack([0.5, 0.9, 0.25]);
  assert.deepEqual(togglePin({ alphas: drawn, length: "32" }, 0.9), { alphas: drawn, length: "32", pin: drawn });
  const flat = togglePin({ alpha: "0.98" }, 0.98);
  assert.deepEqual(unpack(flat["pin"]!, 3), [0.98, 0.98, 0.98]);
  assert.deepEqual(togglePin({ alpha: "0.6", pin: drawn }, 0.6), { alpha: "0.6" });
});

test("the last value continues, so equal ends are written once", () => {
  assert.equal(pack([0.5, 0.9, 0.9, 0.9]), pack([0.5, 0.9]));
  assert.deepEqual(unpack(pack([0.5, 0.9]), 4), [0.5, 0.9, 0.9, 0.9]);
});

test("a longer list is cut to the length", () => {
  assert.deepEqual(unpack(pack([0.1, 0.2, 0.3]), 2), [0.1, 0.2]);
});

test("values beyond a byte are held at its ends", () => {
  assert.deepEqual(unpack(pack([9, -1, NaN]), 3), [largest, 0, 0]);
});

test("nothing and garbage are no sequence", () => {
  for (const text of ["", "A", "a b", "ü", "AAAAA", "=="]) assert.equal(unpack(text, 3), null);
});

test("the text is safe in a link as it is", () => {
  const text = pack(Array.from({ length: 256 }, (_, i) => i / 200));
  assert.equal(encodeURIComponent(text), text);
});

test("a fast stroke leaves no gaps", () => {
  const drawn = stroke([0, 0, 0, 0, 0, 0], { token: 1, value: 1 }, { token: 5, value: 0.2 });
  assert.deepEqual(drawn.map((v) => Math.round(v * 1000) / 1000), [0, 1, 0.8, 0.6, 0.4, 0.2]);
});

test("a stroke to the left is drawn as well", () => {
  assert.deepEqual(stroke([0, 0, 0], { token: 2, value: 1 }, { token: 0, value: 1 }), [1, 1, 1]);
});
