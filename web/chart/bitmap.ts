// A grid of grey levels as a data: image.
//
// A BMP with a palette is one byte a cell and needs no compressor, so the same
// few lines run in the browser and in the build.

const headerBytes = 54;
const paletteBytes = 256 * 4;

/**
 * Grey levels 0…255, row-major from the top, as a data: URL. `curve` maps a
 * level to the shade that is shown, so that one grid can serve several masks.
 */
export function greyImage(levels: Uint8Array, rows: number, cols: number, curve: (level: number) => number): string {
  const pitch = (cols + 3) & ~3; // rows are padded to four bytes
  const at = headerBytes + paletteBytes;
  const bytes = new Uint8Array(at + pitch * rows);
  const view = new DataView(bytes.buffer);
  bytes[0] = 0x42; // "BM"
  bytes[1] = 0x4d;
  view.setUint32(2, bytes.length, true);
  view.setUint32(10, at, true);
  view.setUint32(14, 40, true);
  view.setInt32(18, cols, true);
  view.setInt32(22, -rows, true); // negative: top row first
  view.setUint16(26, 1, true);
  view.setUint16(28, 8, true);
  view.setUint32(34, pitch * rows, true);
  view.setUint32(46, 256, true);
  for (let level = 0; level < 256; level++) {
    const shade = Math.max(0, Math.min(255, Math.round(curve(level))));
    view.setUint32(headerBytes + level * 4, shade * 0x010101, true);
  }
  for (let r = 0; r < rows; r++) {
    bytes.set(levels.subarray(r * cols, (r + 1) * cols), at + r * pitch);
  }
  return `data:image/bmp;base64,${base64(bytes)}`;
}

/** Bytes as base64 text. */
export function base64(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 0x2000) {
    text += String.fromCharCode(...bytes.subarray(i, i + 0x2000));
  }
  return btoa(text);
}
