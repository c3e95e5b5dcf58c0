/** For elements that our markup always has: throws if there is none. */
export function getElement<Kind extends Element>(within: ParentNode, selector: string): Kind {
  const element = within.querySelector<Kind>(selector);
  if (element === null) throw new Error(`missing ${selector}`);
  return element;
}
