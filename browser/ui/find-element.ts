/** An element that our own markup always has. Its absence is a bug, and is said as one. */
export function findElement<Kind extends Element>(within: ParentNode, selector: string): Kind {
  const element = within.querySelector<Kind>(selector);
  if (element === null) throw new Error(`no element matches ${selector}`);
  return element;
}
