import { expect, onTestFinished } from "vitest";
import { type CollectionDefinition, RecordError, type RecordNotice, type RecordStore } from "../../core/index.ts";

/** One more process of a deployment, with its own way to the store they share, and a clock if it is told one. */
export type Join = (now?: () => number) => Promise<{ readonly store: RecordStore; close(): Promise<void> }>;

/** Asked for a new, empty store by each test. */
export type Deployment = () => Promise<Join>;

export interface Prompt {
  readonly slug?: string | null;
  readonly name?: string;
  readonly status?: string | number | boolean;
  readonly text?: unknown;
}

export const prompts: CollectionDefinition<Prompt> = {
  name: "prompts",
  schemaVersion: 1,
  indexes: ["status", "name"],
  unique: [["slug"], ["name", "status"]],
};

export const rejectsWith = async (reason: RecordError["reason"], promise: Promise<unknown>): Promise<RecordError> => {
  const error = await promise.then(
    () => "it was done",
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(RecordError);
  expect(error).toMatchObject({ reason });
  return error as RecordError;
};

/** A process that leaves with the test. */
export async function joined(join: Join, now?: () => number) {
  const { store, close } = await join(now);
  onTestFinished(close);
  return { store, close };
}

/** Two of them, and their ways to the same collection. */
export async function two(deployment: Deployment, now?: () => number) {
  const join = await deployment();
  const [one, other] = [(await joined(join, now)).store, (await joined(join, now)).store];
  return { one: one.collection(prompts), other: other.collection(prompts), store: one, join };
}

/** Records what a collection tells. */
export function listening(changes: (listener: (notice: RecordNotice) => void, missed: () => void) => () => void) {
  const heard: string[] = [];
  const stop = changes(
    ({ collection, tenant, id, kind }) => heard.push(`${kind} ${collection} ${tenant}/${id}`),
    () => heard.push("missed"),
  );
  return { heard, stop };
}
