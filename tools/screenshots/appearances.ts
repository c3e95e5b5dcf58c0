/** How every page is pictured: what people set in their system. */
export const APPEARANCES = [
  { name: "light", colorScheme: "light", forcedColors: "none" },
  { name: "dark", colorScheme: "dark", forcedColors: "none" },
  { name: "forced", colorScheme: "dark", forcedColors: "active" },
] as const;

/** A phone, a tablet, a laptop and a large screen. */
export const WIDTHS = [390, 768, 1280, 1920] as const;
