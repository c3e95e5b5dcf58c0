import type { Context } from "../../platform/context.ts";
import type { Section } from "./layout.ts";
import {
  type Declared,
  type MerchantPage,
  type MerchantVisit,
  merchantPage,
  type OwnPage,
  ownPage,
  type Visit,
} from "./page.ts";
import { confirmStep } from "./parts/confirm.ts";

export type Confirmation = {
  readonly title: string;
  /** What will happen, and whether it can be undone. */
  readonly words: readonly string[];
  readonly button: string;
};

type Confirmed<Path extends string, Seen> = Omit<Declared<Path, Seen>, "method" | "backTo"> & {
  /** Where the user goes instead of confirming, and where a refused form leads. */
  readonly backTo: (visit: Seen) => string;
  readonly confirm: (ctx: Context, visit: Seen) => Promise<Confirmation>;
};

/** Two pages of one path: the GET asks for confirmation, the POST acts. */
export function confirmedMerchantPages<const Path extends string>(
  section: Section,
  { confirm, ...page }: Confirmed<Path, MerchantVisit<NoInfer<Path>>>,
): readonly MerchantPage[] {
  return [
    merchantPage<Path>({
      method: "GET",
      path: page.path,
      right: page.right,
      run: async (ctx, visit) => {
        const action = `${visit.base}${filled(page.path, visit.params)}`;
        const { title, words, button } = await confirm(ctx, visit);
        const backTo = page.backTo(visit);
        const content = confirmStep({ action, formToken: visit.formToken, words, button, backTo });
        return { title, section, content };
      },
    }),
    merchantPage<Path>({ ...page, method: "POST" }),
  ];
}

export function confirmedOwnPages<const Path extends string>({
  confirm,
  ...page
}: Confirmed<Path, Visit<NoInfer<Path>>>): readonly OwnPage[] {
  return [
    ownPage<Path>({
      method: "GET",
      path: page.path,
      right: page.right,
      run: async (ctx, visit) => {
        const action = `/dashboard${filled(page.path, visit.params)}`;
        const { title, words, button } = await confirm(ctx, visit);
        const backTo = page.backTo(visit);
        return { title, content: confirmStep({ action, formToken: visit.formToken, words, button, backTo }) };
      },
    }),
    ownPage<Path>({ ...page, method: "POST" }),
  ];
}

function filled(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? "");
}
