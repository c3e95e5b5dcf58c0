/** A logo for a merchant that has none: the first letter of its name on a disc. */
export function initialLogo(name: string): string {
  const letter = Array.from(name.trim().toUpperCase()).find((one) => /[\p{L}\p{N}]/u.test(one)) ?? "";
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48" width="96" height="96"><circle cx="24" cy="24" r="24" fill="#0b5f7c"/><text x="24" y="25" fill="#ffffff" font-family="sans-serif" font-size="24" font-weight="600" text-anchor="middle" dominant-baseline="central">${letter}</text></svg>`;
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
}
