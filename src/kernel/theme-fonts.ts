/** Fonts that systems bring along, by what they look like. Nothing is fetched: each stack ends in one that every system has. */
export const THEME_FONTS = {
  system: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  grotesque: '"Helvetica Neue", Helvetica, Arial, "Liberation Sans", sans-serif',
  humanist: '"Gill Sans", "Gill Sans Nova", Optima, Candara, Calibri, "Noto Sans", sans-serif',
  geometric: 'Avenir, "Century Gothic", Montserrat, Corbel, "URW Gothic", sans-serif',
  rounded: '"Arial Rounded MT Bold", "Hiragino Maru Gothic ProN", Quicksand, Comfortaa, Nunito, sans-serif',
  serif: 'Georgia, Cambria, "Times New Roman", "Liberation Serif", serif',
  "old-style": '"Iowan Old Style", "Palatino Linotype", Palatino, "URW Palladio L", serif',
  slab: 'Rockwell, "Rockwell Nova", "Roboto Slab", "DejaVu Serif", "Sitka Small", serif',
  monospace: 'Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace',
} as const;

export type ThemeFont = keyof typeof THEME_FONTS;
export const FONT_NAMES = Object.keys(THEME_FONTS) as readonly ThemeFont[];
