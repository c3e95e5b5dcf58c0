import { type Merchant, reachFor } from "../features/merchants/index.ts";
import { MINUTE, SECOND } from "../kernel/time.ts";
import type { Context } from "../platform/context.ts";
import { pictureType } from "../platform/images/picture-type.ts";
import { createFetchPlaces } from "./fetch-places.ts";

export type Picture = { readonly type: string; readonly bytes: Buffer };

const LARGEST_PICTURE = 512 * 1024;
const FETCH_WITHIN = 5 * SECOND;

const KEPT_FOR = 10 * MINUTE;
const FAILURE_KEPT_FOR = MINUTE;
const KEPT_AT_MOST = 32 * 1024 * 1024;
/** What an entry costs beside its bytes, so that failures are bounded too. */
const ENTRY_COST = 1024;

type Entry = { readonly picture: Picture | undefined; readonly until: number; readonly cost: number };

export type FindPicture = (merchant: Merchant, url: string) => Promise<Picture | undefined>;

/**
 * Fetches the pictures of line items for payers' browsers, so that a payment page makes no request to another host. A
 * merchant's URL is called through the same guard of addresses as its webhooks, by http too; redirects are not followed. What
 * is no picture, or too large, is not shown.
 */
export function createItemPictures(ctx: Context): FindPicture {
  const kept = new Map<string, Entry>();
  const fetching = new Map<string, Promise<Picture | undefined>>();
  const places = createFetchPlaces();
  let size = 0;

  function drop(key: string): void {
    size -= kept.get(key)?.cost ?? 0;
    kept.delete(key);
  }

  function keep(key: string, picture: Picture | undefined): void {
    const until = ctx.now() + (picture === undefined ? FAILURE_KEPT_FOR : KEPT_FOR);
    const cost = ENTRY_COST + key.length + (picture?.bytes.length ?? 0);
    drop(key);
    kept.set(key, { picture, until, cost });
    size += cost;
    for (const oldest of kept.keys()) {
      if (size <= KEPT_AT_MOST) break;
      drop(oldest);
    }
  }

  async function load(key: string, merchant: Merchant, url: string): Promise<Picture | undefined> {
    try {
      if (!(await places.enter(merchant.id))) return undefined;
      try {
        const picture = await fetchPicture(ctx, merchant, url);
        keep(key, picture);
        return picture;
      } finally {
        places.leave(merchant.id);
      }
    } finally {
      fetching.delete(key);
    }
  }

  return async (merchant, url) => {
    // What one merchant may reach, another may not.
    const key = `${merchant.mode} ${url}`;
    const known = kept.get(key);
    if (known !== undefined && known.until > ctx.now()) return known.picture;
    const begun = fetching.get(key);
    if (begun !== undefined) return begun;
    const loading = load(key, merchant, url);
    fetching.set(key, loading);
    return loading;
  };
}

async function fetchPicture(ctx: Context, merchant: Merchant, url: string): Promise<Picture | undefined> {
  const reach = await reachFor(ctx, merchant.mode);
  const exchange = await ctx.egress.send({
    method: "GET",
    url,
    headers: { accept: "image/avif, image/webp, image/png, image/jpeg, image/gif" },
    reach: reach === "public" ? "public-by-http" : reach,
    withinMs: FETCH_WITHIN,
    atMost: LARGEST_PICTURE,
  });
  if (exchange.outcome !== "answered" || exchange.status !== 200 || exchange.isCut) return undefined;
  const bytes = Buffer.from(exchange.body);
  const type = pictureType(bytes);
  return type === undefined ? undefined : { type, bytes };
}
