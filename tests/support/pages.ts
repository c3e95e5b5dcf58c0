import assert from "node:assert/strict";

/**
 * All pages of a list, in order. `read` adds what it is given to its query. Pages that would never end, because a cursor
 * comes again, are an error.
 */
export async function readPages<Page extends { readonly nextCursor: string | null }>(
  read: (cursor: string) => Promise<Page>,
): Promise<readonly Page[]> {
  const pages: Page[] = [];
  const cursors = new Set<string>();
  for (let cursor = ""; ; ) {
    const page = await read(cursor);
    pages.push(page);
    if (page.nextCursor === null) return pages;
    assert.ok(!cursors.has(page.nextCursor), `the cursor ${page.nextCursor} comes again`);
    cursors.add(page.nextCursor);
    cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`;
  }
}
