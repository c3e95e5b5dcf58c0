import { MessageError } from "./dialect.ts";

/**
 * Field 48: tags of two characters, a length of three digits, the value.
 * `CV` security code, `EC` ECI, `CA` CAVV, `DS` the directory server's transaction id, `NT` network transaction id, `SC` who
 * initiated the payment (`C` payer, `M` merchant). In answers `NT`, and `CR`: the result of the security code.
 */
export type PrivateData = Readonly<Partial<Record<RequestTag, string>>>;
type RequestTag = "CV" | "EC" | "CA" | "DS" | "NT" | "SC";

const TAG = 2;
const LENGTH = 3;
const LONGEST = 999;

/** Undefined where there is nothing to say: the field is left out then. */
export function writePrivateData(data: PrivateData): string | undefined {
  const text = Object.entries(data)
    .map(([tag, value]) => `${tag}${String(value.length).padStart(LENGTH, "0")}${value}`)
    .join("");
  if (text.length > LONGEST) throw new MessageError(`field 48 would be longer than ${LONGEST}`);
  return text === "" ? undefined : text;
}

/** The tags of an answer. What cannot be read ends the list: a host may use the rest for something else. */
export function readPrivateData(text: string | undefined): ReadonlyMap<string, string> {
  const tags = new Map<string, string>();
  let rest = text ?? "";
  while (rest.length >= TAG + LENGTH) {
    const length = rest.slice(TAG, TAG + LENGTH);
    const end = TAG + LENGTH + Number(length);
    if (!/^[0-9]{3}$/.test(length) || end > rest.length) break;
    tags.set(rest.slice(0, TAG), rest.slice(TAG + LENGTH, end));
    rest = rest.slice(end);
  }
  return tags;
}
