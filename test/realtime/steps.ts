import fc from "fast-check";
import type { Session, Told } from "./session.ts";
import { messageBytes } from "./world.ts";

const plain = { code: 1000, reason: "" };
const none = { code: 1005, reason: "" };
const dropped = { code: 1006, reason: "" };
const failed = { code: 1011, reason: "" };

/** What a client says. */
export const clientSays: Readonly<Record<string, (session: Session, n: number) => void>> = {
  event: ({ client }, n) => client.say(JSON.stringify({ type: "response.create", n })),
  bad: ({ client }, n) => client.say(`{"type": "response.${n}`),
  nothing: ({ client }) => client.say(""),
  bytes: ({ client }, n) => client.say(Buffer.alloc(n % 300, n), true),
  flood({ client, vendor }, n) {
    for (let at = 0; at < (vendor.isStalled ? 10 : 2); at++) client.say("m".repeat(messageBytes - (n % 7)));
  },
  ping: ({ client }) => client.socket.ping(),
};

const usages: readonly (readonly [object, number])[] = [
  [{ input_tokens: 3, output_tokens: 2, total_tokens: 5 }, 5],
  [{ input_tokens: 9, output_tokens: 4, input_token_details: { cached_tokens: 4, audio_tokens: 2 } }, 13],
  [{ input_tokens: 0, output_tokens: 0 }, 0],
  [{ input_tokens: 11, output_tokens: 7, output_token_details: { audio_tokens: 7 } }, 18],
];

type Says = (session: Session, n: number, used: (tokens: number) => number) => void;

const says = (session: Session, event: object): void => session.vendor.say(JSON.stringify(event));
const told = (session: Session, event: string, more: Partial<Told> = {}): Told => ({
  ...{ event, status: 200, tokens: undefined, isUnpriced: session.isUnpriced },
  ...more,
});
/** An answer ends, one under way or one nobody knew of; its status, and whether its usage is told. */
const done =
  (status: string, says_: "told" | "untold"): Says =>
  (session, n, used) => {
    const id = [...session.answering][n % Math.max(1, session.answering.size)] ?? `r${++session.answers}`;
    const [usage, tokens] = usages[n % usages.length] as (typeof usages)[number];
    const response = { id, status, output: [], ...(says_ === "told" && { usage }) };
    says(session, { type: "response.done", response });
    const isAnswer = status === "completed" || status === "incomplete";
    const known = says_ === "told" ? tokens : isAnswer ? ("unknown" as const) : undefined;
    const record = told(session, "response.done", { status: status === "failed" ? 500 : 200, tokens: known });
    session.heard(used, record, { ends: id });
  };

/** What a vendor says. */
export const vendorSays: Readonly<Record<string, Says>> = {
  session(session, n, used) {
    const type = ["session.created", "session.updated"][n % 2] as string;
    says(session, { event_id: `e${n}`, type, session: { id: "s" } });
    session.heard(used, told(session, type));
  },
  begins(session, _, used) {
    // Whether it is waited for depends on when the gateway has found out that the budget is used up.
    if (session.farewell) return;
    const id = `r${++session.answers}`;
    says(session, { type: "response.created", response: { id } });
    session.heard(used, undefined, { begins: id });
  },
  done: done("completed", "told"),
  more: done("completed", "told"),
  cut: done("incomplete", "told"),
  untold: done("completed", "untold"),
  fails: done("failed", "untold"),
  cancelled: done("cancelled", "told"),
  error(session, n, used) {
    const type = ["invalid_request_error", "server_error"][n % 2];
    says(session, { type: "error", error: { type, message: "No." } });
    session.heard(used, told(session, "error", { status: n % 2 ? 500 : 400 }));
  },
  item(session, n, used) {
    says(session, {
      type: "conversation.item.created",
      previous_item_id: null,
      item: { id: `i${n}`, type: "message" },
    });
    session.heard(used, undefined);
  },
  sound(session, n, used) {
    says(session, { type: "response.audio.delta", delta: "A".repeat(n % 3_000) });
    session.heard(used, undefined);
  },
  flood(session, n, used) {
    for (let at = 0; at < (session.client.isStalled ? 10 : 2); at++)
      session.vendor.say(Buffer.alloc(messageBytes - (n % 7), n), true);
    session.heard(used, undefined);
  },
  bad(session, n, used) {
    session.vendor.say(`{"type": "response.done", "n": ${n}`);
    session.heard(used, undefined);
  },
  bytes(session, n, used) {
    session.vendor.say(Buffer.alloc(n % 300, n), true);
    session.heard(used, undefined);
  },
  ping: ({ vendor }) => vendor.socket.ping(),
};

const codes = [1000, 1001, 1003, 1008, 1011, 1013, 3000, 4001] as const;
const codeOf = (n: number) => ({ code: codes[n % codes.length] as number, reason: n % 3 ? "" : `because of ${n}` });

/** How one side ends a session. */
export const ends: Readonly<Record<string, (session: Session, n: number) => void>> = {
  clientCloses(session, n) {
    const said = codeOf(n);
    session.end(said, said, "complete", "client");
    session.client.socket.close(said.code, said.reason);
  },
  clientClosesPlainly(session) {
    session.end(none, none, "complete", "client");
    session.client.socket.close();
  },
  clientDrops(session) {
    session.end(dropped, plain, "client-gone", "client");
    session.client.socket.terminate();
  },
  clientFallsSilent(session) {
    session.end(dropped, plain, "client-gone", "client");
    session.client.fallSilent();
  },
  clientBabbles(session) {
    session.end({ code: 1002, reason: "" }, failed, "error", "client");
    session.client.babble(Buffer.from([0xff, 0xff]));
  },
  clientSaysTooMuch(session) {
    session.end({ code: 1009, reason: "" }, failed, "error", "client");
    session.client.socket.send("x".repeat(messageBytes + 1));
  },
  vendorCloses(session, n) {
    const said = codeOf(n);
    session.end(said, said, "complete");
    session.vendor.socket.close(said.code, said.reason);
  },
  vendorClosesPlainly(session) {
    session.end(none, none, "complete");
    session.vendor.socket.close();
  },
  vendorDrops(session) {
    session.end(failed, dropped, "truncated");
    session.vendor.socket.terminate();
  },
  vendorFallsSilent(session) {
    session.end(failed, dropped, "truncated");
    session.vendor.fallSilent();
  },
  vendorBabbles(session) {
    session.end(failed, { code: 1002, reason: "" }, "error");
    session.vendor.babble(Buffer.from([0xff, 0x01]));
  },
  vendorSaysTooMuch(session) {
    session.end(failed, { code: 1009, reason: "" }, "error");
    session.vendor.socket.send("x".repeat(messageBytes + 1));
  },
};

const kinds = {
  ...{ open: 8, client: 10, vendor: 24, end: 4, stall: 1, wake: 1, reload: 1, shutdown: 1, late: 2 },
} as const;
const weighted = Object.entries(kinds).flatMap(([kind, times]) => Array.from({ length: times }, () => kind));

export const steps = fc.array(
  fc.record({
    kind: fc.constantFrom(...(weighted as (keyof typeof kinds)[])),
    which: fc.nat({ max: 11 }),
    what: fc.nat({ max: 1_000 }),
    n: fc.nat({ max: 100_000 }),
    /** Whether the next step waits until everything of this one has come. */
    settles: fc.integer({ min: 0, max: 3 }).map((at) => at > 0),
  }),
  { minLength: 5, maxLength: 40, size: "max" },
);
export type Step =
  typeof steps extends fc.Arbitrary<infer All> ? (All extends readonly (infer One)[] ? One : never) : never;
