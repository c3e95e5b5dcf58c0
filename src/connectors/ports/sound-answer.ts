import { RETRY_ADVICE } from "../../kernel/acquirer-facts.ts";
import { APPROVALS, type BankAnswer, DECLINES } from "../../kernel/codes/outcomes.ts";
import { isObject } from "../../kernel/json.ts";
import type { InquiryAnswer, NotifiedFact } from "./card-acquirer.ts";
import type { DebitState } from "./direct-debit-bank.ts";
import type { AuthenticationData, ChallengeStep, DoneStep, MethodStep } from "./three-d-secure.ts";

/** A connector answered with something else than its port declares. What it meant is not known. */
export class MalformedAnswer extends Error {
  override readonly name = "MalformedAnswer";
}

/**
 * The answer, if it has the shape that the port declares. Otherwise it throws, and the caller treats the outcome as unknown:
 * connectors can be the operator's own, and a guess about money is worse than an inquiry. No value is in the message.
 */
export async function soundAnswer<Answer extends InquiryAnswer>(answering: Promise<Answer>): Promise<Answer> {
  const answer = await answering;
  const problem = answerProblem(answer);
  if (problem !== undefined) throw new MalformedAnswer(`the acquirer's connector answered with ${problem}`);
  return answer;
}

/** The same for debit banks and the PayID rail, which have no other answers. */
export async function soundBankAnswer(answering: Promise<BankAnswer>): Promise<BankAnswer> {
  const answer: unknown = await answering;
  const isSound = isFinal(answer) || (isObject(answer) && answer["kind"] === "unknown");
  if (!isSound) throw new MalformedAnswer("the bank's connector answered with no outcome");
  return answer as BankAnswer;
}

/** The same for the states of debits: one for each that was asked for. */
export async function soundStates(
  answering: Promise<readonly DebitState[]>,
  count: number,
): Promise<readonly DebitState[]> {
  const states: unknown = await answering;
  if (!Array.isArray(states) || states.length !== count || !states.every(isDebitState))
    throw new MalformedAnswer("the debit bank's connector answered with no states");
  return states as readonly DebitState[];
}

/** The same for the steps of 3D Secure. */
export async function soundStep<Step extends MethodStep | ChallengeStep | DoneStep>(
  answering: Promise<Step>,
): Promise<Step> {
  const step: unknown = await answering;
  const isSound =
    isObject(step) &&
    (step["kind"] === "done"
      ? isAuthentication(step["data"])
      : (step["kind"] === "method" || step["kind"] === "challenge") &&
        isHandover(step["handover"]) &&
        isText(step["state"], "or absent"));
  if (!isSound) throw new MalformedAnswer("the 3D Secure connector answered with no step");
  return step as Step;
}

export async function soundResult(
  answering: Promise<AuthenticationData | "open">,
): Promise<AuthenticationData | "open"> {
  const result = await answering;
  if (result !== "open" && !isAuthentication(result))
    throw new MalformedAnswer("the 3D Secure connector answered with no result");
  return result;
}

/** What a notification says, if every fact in it has its declared shape: half of one is not applied. */
export function soundFacts(facts: readonly NotifiedFact[]): readonly NotifiedFact[] {
  const found: unknown = facts;
  const isSound =
    Array.isArray(found) &&
    found.every(
      (fact: unknown) =>
        isObject(fact) &&
        isText(fact["reference"]) &&
        (fact["about"] === "dispute" ? isText(fact["step"]) : isFinal(fact["answer"])),
    );
  if (!isSound) throw new MalformedAnswer("the acquirer's connector read a notification without its facts");
  return facts;
}

const ADVICE: readonly unknown[] = [...RETRY_ADVICE, undefined];

function answerProblem(answer: unknown): string | undefined {
  if (!isObject(answer)) return "no object";
  const { kind } = answer;
  if (kind === "unknown" || kind === "never_seen") return undefined;
  if (kind === "not_received") return isText(answer["reason"]) ? undefined : "no reason";
  if (kind === "accepted") return areFacts(answer["facts"]) ? undefined : "facts that are no texts";
  if (kind !== "approved" && kind !== "declined") return "a kind that does not exist";
  const { code, approvedAmount: amount, facts, advice } = answer;
  if (!isText(code) || !Object.hasOwn(kind === "approved" ? APPROVALS : DECLINES, code))
    return `a code that is not among those of ${kind}`;
  if (!areFacts(facts)) return "facts that are no texts";
  if (amount !== undefined && !(Number.isSafeInteger(amount) && Number(amount) >= 0))
    return "an approved amount that is none";
  return ADVICE.includes(advice) ? undefined : "an advice that does not exist";
}

function isFinal(answer: unknown): boolean {
  const isKind = isObject(answer) && (answer["kind"] === "approved" || answer["kind"] === "declined");
  return isKind && answerProblem(answer) === undefined;
}

function isDebitState(state: unknown): boolean {
  if (!isObject(state)) return false;
  const { kind, code, until, returnableUntil } = state;
  if (kind === "never_seen") return true;
  if (kind === "processing") return Number.isSafeInteger(until);
  if (kind === "returned") return code === "returned";
  if (kind === "declined") return isText(code) && Object.hasOwn(DECLINES, code);
  return (
    kind === "settled" &&
    isText(code) &&
    Object.hasOwn(APPROVALS, code) &&
    Number.isSafeInteger(returnableUntil)
  );
}

const STATUSES: readonly unknown[] = ["Y", "A", "N", "U", "R"];

function isAuthentication(data: unknown): boolean {
  if (!isObject(data) || !STATUSES.includes(data["status"])) return false;
  return ["eci", "cavv", "dsTransactionId", "version"].every((name) => isText(data[name], "or absent"));
}

function isHandover(handover: unknown): boolean {
  return isObject(handover) && isText(handover["url"]) && areFacts(handover["fields"]);
}

function areFacts(facts: unknown): boolean {
  return (
    facts === undefined || (isObject(facts) && Object.values(facts).every((one) => isText(one, "or absent")))
  );
}

function isText(value: unknown, otherwise?: "or absent"): value is string {
  return typeof value === "string" || (value === undefined && otherwise !== undefined);
}
