import { setTimeout as sleep } from "node:timers/promises";
import { GatewayError } from "../errors/gateway-error.ts";
import { slot } from "../slot.ts";
import type { Managed, ManagedDocument } from "./document.ts";

/**
 * Records name each other, and each may change while the other does: who names one looks whether it is there, who deletes
 * one whether it is named. Looking before the write is not enough, as both may look before either has written. So both look
 * once more when their write is kept: of two at the same moment at least one sees the other, and takes back what it did.
 */

/** Where records are changed. */
interface Changeable<Document extends ManagedDocument> {
  update(
    record: Managed<Document>,
    change: (document: Document) => Document | Promise<Document>,
  ): Promise<Managed<Document>>;
}

/** Changes a record. What `check` throws, once that is kept, is thrown when the change is taken back. */
export async function changeIfStill<Document extends ManagedDocument>(
  store: Changeable<Document>,
  record: Managed<Document>,
  change: (document: Document) => Document | Promise<Document>,
  check: () => unknown,
): Promise<Managed<Document>> {
  let before = record.document;
  const changed = await store.update(record, async (document) => {
    before = document;
    return change(document);
  });
  await orElse(check, () => store.update(changed, (now) => without(now, changed.document, before)));
  return changed;
}

/** The same for one that is made. */
export async function makeIfStill<Made>(
  make: () => Promise<Made>,
  check: () => unknown,
  remove: (made: Made) => Promise<unknown>,
): Promise<Made> {
  const made = await make();
  await orElse(check, () => remove(made));
  return made;
}

/** Milliseconds from one look to the next. */
const pauses = [10, 20, 40, 80];

/**
 * Whoever deletes something may find that it is needed by what is just being taken back, since its maker has found it gone:
 * both would be refused. So it is looked at again a few times before the deletion is taken back; makers take back at once. What
 * was rightly made at that moment is of no use for as long, which nobody notices who has just made it.
 */
export async function onceSettled(check: () => Promise<void>): Promise<void> {
  for (const pause of pauses) {
    try {
      return await check();
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      await sleep(pause);
    }
  }
  return check();
}

const stayed = slot<object, unknown>("resource-kit: stayed");

/** Why what was refused with this error could not be taken back, and stays; undefined where it was. */
export const notTakenBack = (refusal: unknown): unknown =>
  typeof refusal === "object" && refusal !== null ? stayed.get(refusal) : undefined;

/**
 * A change that cannot be taken back, as the store is down by now, stays: why it should have been is told all the same, and
 * the failure beside it (`notTakenBack`).
 */
async function orElse(check: () => unknown, takeBack: () => Promise<unknown>): Promise<void> {
  try {
    await check();
  } catch (error) {
    await takeBack().catch((failure: unknown) => {
      if (typeof error === "object" && error !== null) stayed.set(error, failure ?? new Error("it was not taken back"));
    });
    throw error;
  }
}

/** What a document is without a change: fields that somebody has changed again since stay as they are. */
function without<Document extends object>(now: Document, changed: Document, before: Document): Document {
  const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  const names = Object.keys({ ...before, ...changed }) as (keyof Document)[];
  const back = names.filter((name) => isSame(now[name], changed[name]) && !isSame(changed[name], before[name]));
  // What was not there before is undefined, which is not kept.
  return { ...now, ...Object.fromEntries(back.map((name) => [name, before[name]])) };
}
