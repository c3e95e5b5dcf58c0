import { contrast, readableOn, readColour } from "../../../browser/ui/colour.ts";

const PROPERTIES: Readonly<Record<string, readonly [variable: string, property: string]>> = {
  colorPrimary: ["--t-primary", "color"],
  colorText: ["--t-text", "color"],
  colorBackground: ["--t-background", "color"],
  colorDanger: ["--t-danger", "color"],
  colorBorder: ["--t-border", "color"],
  fontFamily: ["--t-font", "font-family"],
  fontSizeBase: ["--t-size", "font-size"],
  borderRadius: ["--t-radius", "border-radius"],
  spacingUnit: ["--t-unit", "padding-top"],
};

/** Colour pickers beside the text fields, and a sample that follows what is typed. */
export function editTheme(page: Document): void {
  const form = page.querySelector<HTMLElement>("[data-theme-form]");
  const sample = page.getElementById("theme-sample");
  if (form === null || sample === null) return;
  const paint = () => paintSample(form, sample);
  for (const picker of Array.from(form.querySelectorAll<HTMLInputElement>("[data-picks]"))) {
    const text = page.getElementById(picker.getAttribute("data-picks") ?? "") as HTMLInputElement | null;
    if (text === null) continue;
    const [variable = ""] = PROPERTIES[text.name] ?? [];
    const follow = () => {
      // Empty or wrong, it keeps the default, which the sample has.
      const shown = getComputedStyle(sample).getPropertyValue(variable);
      const hex = hexOf(page, text.value.trim()) ?? hexOf(page, shown.trim());
      if (hex !== undefined) picker.value = hex;
    };
    picker.hidden = false;
    follow();
    text.addEventListener("input", () => {
      paint();
      follow();
    });
    picker.addEventListener("input", () => {
      text.value = picker.value;
      paint();
    });
  }
  form.addEventListener("input", paint);
  paint();
}

function paintSample(form: HTMLElement, sample: HTMLElement): void {
  for (const input of Array.from(form.querySelectorAll<HTMLInputElement>("input[name]"))) {
    const known = PROPERTIES[input.name];
    if (known === undefined) continue;
    const [variable, property] = known;
    const value = input.value.trim();
    if (value !== "" && CSS.supports(property, value)) sample.style.setProperty(variable, value);
    else sample.style.removeProperty(variable);
  }
  const theme = form.querySelector<HTMLSelectElement>("select");
  sample.setAttribute("data-sample", theme === null ? "" : theme.value);
  const button = sample.querySelector<HTMLElement>(".sample-button");
  if (button === null) return;
  const colour = readColour(getComputedStyle(button).backgroundColor);
  if (colour !== undefined) sample.style.setProperty("--t-on-primary", readableOn(colour.rgb));
  const [text, surface] = [getComputedStyle(sample).color, getComputedStyle(sample).backgroundColor].map(
    readColour,
  );
  const isFaint = text !== undefined && surface !== undefined && contrast(text.rgb, surface.rgb) < 4.5;
  sample.setAttribute("data-faint", isFaint ? "on" : "off");
}

/** A colour in any notation as a picker takes it; undefined where it is none. */
function hexOf(page: Document, value: string): string | undefined {
  if (value.trim() === "" || !CSS.supports("color", value)) return undefined;
  const probe = page.createElement("span");
  probe.style.color = value;
  page.body.appendChild(probe);
  const colour = readColour(getComputedStyle(probe).color);
  page.body.removeChild(probe);
  if (colour === undefined) return undefined;
  return `#${colour.rgb.map((channel) => `0${channel.toString(16)}`.slice(-2)).join("")}`;
}
