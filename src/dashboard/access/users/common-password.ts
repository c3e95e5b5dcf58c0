/** A word this short, alone between digits and signs, protects nothing either. */
const SHORTEST_WORD = 4;

const LOOK_ALIKES: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
  "!": "i",
};

let list: Promise<ReadonlySet<string>> | undefined;

/** Read when the first password is chosen: most processes never need it. */
async function commonPasswords(): Promise<ReadonlySet<string>> {
  list ??= import("@zxcvbn-ts/language-common").then(
    ({ dictionary }) => new Set(dictionary["passwords-common"]),
  );
  return list;
}

/**
 * Whether guessers try this password early: one of the 49,000 most common, also with digits and signs around it, with
 * look-alike characters, or written several times; or digits and signs alone.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  const known = await commonPasswords();
  const plain = password.normalize("NFKC").trim().toLowerCase();
  const bare = plain.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
  // Dates and phone numbers are guessed first.
  if (bare === "") return true;
  const forms = [plain, bare, bare.replace(/[013457@$!]/g, (sign) => LOOK_ALIKES[sign] ?? sign)];
  return forms.some((form) => {
    const unit = /^(.+?)\1+$/su.exec(form)?.[1];
    if (unit !== undefined && (Array.from(unit).length <= SHORTEST_WORD || known.has(unit))) return true;
    return form.length >= SHORTEST_WORD && known.has(form);
  });
}
