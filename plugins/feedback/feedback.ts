import {
  type Feedback,
  type Managed,
  type ManagedDocument,
  type ManagementService,
  type RecordsService,
  ResourceStore,
  z,
} from "../../core/index.ts";
import type { Telling } from "./telling.ts";

/** What somebody says of an answer, as it is kept. */
interface FeedbackDocument extends ManagedDocument {
  readonly trace_id: string;
  readonly value: number;
  readonly weight: number;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** An object, or the JSON text of one. */
const metadata = z.union([
  z.record(z.string(), z.unknown()),
  z.string().transform((text, context): Record<string, unknown> => {
    try {
      return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
    } catch {
      context.addIssue({ code: "custom", message: "must be an object, or the JSON text of one" });
      return z.NEVER;
    }
  }),
]);

const value = z.int().min(-10).max(10);
const weight = z.number().min(0).max(1);
const given = z.object({
  trace_id: z.string().min(1).max(512),
  value,
  weight: weight.default(1),
  metadata: metadata.default({}),
});

const answer = z.object({ status: z.literal("success"), message: z.string(), feedback_ids: z.array(z.string()) });
const scopes = ["logs.write", "feedbacks.write", "completions.write"];

export interface FeedbackParts {
  readonly records: RecordsService;
  /** Tells the logs, where there are some: requests are found by what was said of them. */
  readonly telling: Telling | undefined;
}

/** Feedback on traces, of which there may be several, before the trace is there too (control-plane.md section 14.1). */
export function manageFeedback(management: ManagementService, { records, telling }: FeedbackParts): void {
  const store = new ResourceStore<FeedbackDocument>(
    { collection: "feedback", what: "feedback", schemaVersion: 1, indexes: ["trace_id"], unseen: 404 },
    { records },
  );
  const tell = (said: readonly Managed<FeedbackDocument>[]) => telling?.tell(said.map(loggedFeedback));
  const done = (ids: string[]) => ({
    status: "success",
    message: ids.length === 1 ? "The feedback is kept." : `${ids.length} pieces of feedback are kept.`,
    feedback_ids: ids,
  });
  management.operation({
    method: "POST",
    path: "/feedback",
    tag: "feedback",
    summary: "Says what somebody thinks of an answer, or of up to 100.",
    scopes,
    key: "workspace",
    saysFailure: true,
    audit: { resource: "feedback", action: "create" },
    body: z.union([given.transform((one) => [one]), z.array(given).min(1).max(100)]),
    answer,
    async run({ organisation, own, body }) {
      const made: Managed<FeedbackDocument>[] = [];
      for (const one of body)
        made.push(await store.create(organisation, {}, { ...one, workspace_id: own?.id ?? null }));
      await tell(made);
      return done(made.map(({ id }) => id));
    },
  });
  management.operation({
    method: "PUT",
    path: "/feedback/{id}",
    tag: "feedback",
    summary: "Changes what somebody thinks.",
    scopes,
    key: "workspace",
    saysFailure: true,
    audit: { resource: "feedback", action: "update" },
    body: z.object({ value, weight: weight.optional(), metadata: metadata.optional() }),
    answer,
    find: (call) => store.find(call, call.path.id ?? ""),
    async run({ found, body }) {
      const changed = await store.update(found, (document) => ({
        ...document,
        value: body.value,
        weight: body.weight ?? document.weight,
        metadata: body.metadata ?? document.metadata,
      }));
      await tell([changed]);
      return done([found.id]);
    },
  });
}

const loggedFeedback = ({ tenant, id, document, createdAt, updatedAt }: Managed<FeedbackDocument>): Feedback => ({
  organisation: tenant,
  id,
  workspace: document.workspace_id,
  traceId: document.trace_id,
  value: document.value,
  weight: document.weight,
  metadata: Object.fromEntries(
    Object.entries(document.metadata).map(([key, value]) => [
      key,
      cut(typeof value === "string" ? value : JSON.stringify(value)),
    ]),
  ),
  createdAt,
  updatedAt,
});

/** As much of a value as metadata has (observability.md section 7). */
const cut = (value: string): string => value.slice(0, 128).replace(/[\ud800-\udbff]$/, "");
