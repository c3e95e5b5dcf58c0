import type { KeyWrapper } from "../../../connectors/ports/key-wrapper.ts";

type Place = { readonly owns: (masterId: string) => boolean; readonly wrapper: KeyWrapper };

/** Master keys of several places as one: the first place wraps, all of them unwrap what they once wrapped. */
export function createKeyRing(places: readonly Place[]): KeyWrapper {
  const placeOf = (masterId: string) => places.find(({ owns }) => owns(masterId))?.wrapper;
  return {
    masterIds: async () => (await Promise.all(places.map(({ wrapper }) => wrapper.masterIds()))).flat(),
    wrap: async (masterId, key, context) => {
      const place = placeOf(masterId);
      if (place === undefined) throw new Error("the master key that wraps is not at hand");
      return place.wrap(masterId, key, context);
    },
    unwrap: async (masterId, wrapped, context) => placeOf(masterId)?.unwrap(masterId, wrapped, context),
    rewrap: async (masterId, wrapped) => placeOf(masterId)?.rewrap?.(masterId, wrapped),
  };
}

/** Of a node that holds no key to numbers. It refuses the work, and says where it can be done. */
export function createNoKeyWrapper(refuse: () => never): KeyWrapper {
  return {
    masterIds: async () => [],
    wrap: async () => refuse(),
    unwrap: async () => refuse(),
  };
}
