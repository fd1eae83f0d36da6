// Small drawings for buttons; shapes only, coloured by the text colour.

const svg = (path: string): string =>
  `<svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false"><path d="${path}"/></svg>`;

export const icons = {
  play: svg("M4.5 2.5v11l9-5.5z"),
  pause: svg("M4 3h3v10H4zM9 3h3v10H9z"),
  back: svg("M11.5 3.5v9L4.5 8z"),
  forward: svg("M4.5 3.5v9l7-4.5z"),
  fewer: svg("M3 7.25h10v1.5H3z"),
  more: svg("M7.25 3h1.5v4.25H13v1.5H8.75V13h-1.5V8.75H3v-1.5h4.25z"),
};
