import { expect } from "vitest";
import type { Fields } from "../../core/index.ts";
import { watched } from "../support/watched-records.ts";
import type { Heard } from "./client.ts";
import { type Asked, asking, type Creation, configOf } from "./creation.ts";
import { seconds, type World } from "./deployment.ts";
import { chatOf } from "./model.ts";
import type { Call } from "./vendors.ts";

type Fate = "refused" | "fails" | "dies" | "answers";

/** Whether there are only references to what nobody knows, of which nothing is left. */
const asksNothing = ({ goesOnFrom, instructions, own }: Asked): boolean =>
  !goesOnFrom && !instructions && own.every(({ type }) => type === "item_reference");

/** What becomes of a call of a target. */
function fateOf(world: World, asked: Asked, { provider, behaviour }: Creation["targets"][number]): Fate {
  const { previous, goesOnFrom, background, stream, outage } = asked;
  const isNative = provider === "native";
  const mayBeKept = previous !== undefined && (!isNative || isOwnId.test(previous));
  if (outage && (mayBeKept || asked.own.some(isReference(asked)))) return "refused";
  if (!isNative && previous !== undefined && !goesOnFrom) return "refused";
  if (!isNative && background === true) return "refused";
  if (provider === "claude" && asksNothing(asked)) return "refused";
  if (behaviour === "fails" || behaviour === "refuses") return "fails";
  if (isNative && previous !== undefined && !goesOnFrom && !world.deployment.vendors.keeps(previous)) return "fails";
  if (behaviour === "cuts") return stream ? "dies" : "fails";
  return "answers";
}

/** Ids that the gateway gives. */
const isOwnId = /^resp_[0-9a-f]{32}\d*$/;

/** Whether a provider that has a memory is told all of a conversation, which another one began, and its answer kept here. */
const isMovedOn = ({ goesOnFrom, store, background }: Asked): boolean =>
  goesOnFrom !== undefined && store !== false && background !== true;

const isReference =
  ({ body }: Asked) =>
  (_: unknown, at: number): boolean =>
    Array.isArray(body.input) && isOwnReference(body.input[at] as Fields);

/** To an item that the gateway may have given: ids of a vendor with a memory are that vendor's. */
const isOwnReference = ({ type, id }: Fields): boolean =>
  type === "item_reference" && !`${id}`.includes("resp_of_vendor");

/** Makes a response, alone or beside others, and looks at everything that comes of it. */
export async function create(world: World, one: Creation, together = false): Promise<void> {
  // What is not tagged is told from others by being alone.
  const alone = { ...one, mode: "fallback" as const, leaves: undefined, outage: false };
  await carryOut(world, asking(world, one.caches ? alone : one), together);
}

/** Several at once, all of them made in the same state of the world. */
export async function createTogether(world: World, all: readonly Creation[]): Promise<void> {
  const asked = all.map((one) => asking(world, { ...one, outage: false, caches: false }));
  await Promise.all(asked.map((one) => carryOut(world, one, true)));
}

async function carryOut(world: World, asked: Asked, together: boolean): Promise<void> {
  const fates = asked.targets.map((one) => fateOf(world, asked, one));
  if (asked.outage) watched.down = true;
  const { answer, calls } = await world.send(
    asked.who,
    configOf(asked),
    { method: "POST", path: "/v1/responses", body: asked.body, leaves: asked.leaves },
    !asked.caches,
  );
  if (!together) await world.deployment.calm();
  if (asked.outage) watched.down = false;
  for (const call of calls) checkSent(asked, call);
  world.remember(asked.tenant, calls);
  if (answer.headers["x-gateway-cache-status"] === "HIT") return replayed(world, asked, answer);
  const isRace = asked.mode === "hedge" && asked.targets.length > 1;
  const last = fates.findIndex((fate) => fate === "answers" || fate === "dies");
  const through = last < 0 ? fates.length : last + 1;
  const wanted = asked.targets.slice(0, through).filter((_, at) => fates[at] !== "refused");
  if (!isRace && (answer.isWhole || asked.leaves === undefined))
    expect(calls.map(({ provider }) => provider)).toEqual(wanted.map(({ provider }) => provider));
  if (isRace) return raced(world, asked, fates, answer, calls, together);
  const isDead = fates[last] === "dies";
  if (asked.leaves !== undefined && !answer.isWhole) return leftBy(world, asked, answer, calls);
  world.count(last < 0 ? "refused" : isDead ? "cut" : `answered by ${asked.targets[last]?.provider}`);
  if (last < 0) {
    expect(answer.status, JSON.stringify(answer.body)).toBeGreaterThanOrEqual(400);
    expect(answer.body).toHaveProperty("error");
    return;
  }
  if (isDead) return died(world, answer);
  await answered(world, asked, answer, calls.at(-1), together);
}

/** Of several that are called side by side one answers, where any does. */
async function raced(
  world: World,
  asked: Asked,
  fates: readonly Fate[],
  answer: Heard,
  calls: readonly Call[],
  together: boolean,
): Promise<void> {
  if (!answer.isWhole || answer.status !== 200) {
    if (answer.isWhole && asked.leaves === undefined) expect(fates.every((fate) => fate !== "answers")).toBe(true);
    return leftBy(world, asked, answer, calls);
  }
  const final = asked.stream ? finalOf(answer) : answer.body;
  if (!final) return died(world, answer);
  const text = textIn(final);
  const call = calls.find(({ said }) => said?.text === text);
  world.count(`race won by ${call?.provider}`);
  expect(call, `nobody said ${JSON.stringify(final)}`).toBeDefined();
  await answered(world, asked, answer, call, together);
}

/** What was answered before to somebody of the same workspace is a response of its own. */
async function replayed(world: World, asked: Asked, answer: Heard): Promise<void> {
  if (!answer.isWhole) return leftBy(world, asked, answer, world.answered.get(asked.tenant) ?? []);
  const final = (asked.stream ? finalOf(answer) : answer.body) ?? {};
  const call = world.answered.get(asked.tenant)?.find(({ said }) => said?.text === textIn(final));
  expect(call, `nobody said ${JSON.stringify(final)}`).toBeDefined();
  world.count(`answered out of the cache for ${call?.provider}`);
  await world.deployment.calm();
  if (call?.provider !== "native" || isMovedOn(asked)) return answered(world, asked, answer, call, true);
  expect(world.model.seen, "an id given twice").not.toContain(final.id);
  world.model.seen.push(String(final.id));
}

/** Each vendor is sent all of the conversation once, in order. */
function checkSent(asked: Asked, { provider, body }: Call): void {
  if (provider === "native") {
    const isSame = !asked.goesOnFrom && asked.own.every((item, at) => item === inputOf(asked)[at]);
    if (isSame) expect(body).toEqual({ ...asked.body, model: body.model });
    else expect(saidIn(inputIn(body))).toEqual(saidIn(asked.items));
    if (asked.goesOnFrom) expect(body).not.toHaveProperty("previous_response_id");
    return;
  }
  if (provider !== "chats") return;
  expect(body.messages).toEqual(chatOf(asked.items, asked.body.instructions as string | undefined));
  expect(body).not.toHaveProperty("previous_response_id");
  expect(body).not.toHaveProperty("store");
}

const inputOf = ({ body, own }: Asked): readonly unknown[] => (Array.isArray(body.input) ? body.input : own);
const inputIn = ({ input }: Fields): readonly Fields[] =>
  Array.isArray(input) ? (input as Fields[]) : [{ role: "user", content: input }];

/** What a conversation is about, however it is written: thoughts are of one vendor. */
const saidIn = (items: readonly Fields[]): unknown[] =>
  chatOf(
    items.filter(({ type }) => type !== "reasoning"),
    undefined,
  ).map(({ content, ...message }) => [wordsOf(content), message]);

const wordsOf = (content: unknown): unknown =>
  Array.isArray(content) ? content.map(({ text }: Fields) => text).join("") : (content ?? "");

const ends = ["response.completed", "response.incomplete"];

const finalOf = ({ events = [] }: Heard): Fields | undefined => {
  const last = events.at(-1);
  return last && ends.includes(String(last.type)) ? (last.response as Fields) : undefined;
};

const textIn = ({ output }: Fields): unknown =>
  (output as { type: string; content?: { text: string }[] }[]).find(({ type }) => type === "message")?.content?.[0]
    ?.text;

/** A stream that was cut says so, and what began it is not kept. */
async function died(world: World, answer: Heard): Promise<void> {
  expect(answer.status).toBe(200);
  const types = answer.events?.map(({ type }) => type) ?? [];
  expect(types.filter((type) => ends.includes(String(type)))).toEqual([]);
  expect(types).toContain("error");
  const { id } = (answer.events?.[0]?.response ?? {}) as Fields;
  expect(world.model.seen).not.toContain(id);
  if (`${id}`.startsWith("resp_of_vendor")) return;
  await world.deployment.calm();
  world.model.seen.push(String(id));
}

/** Whoever left before the end may have a response that is kept, if all of it was there. */
async function leftBy(world: World, asked: Asked, answer: Heard, made: readonly Call[]): Promise<void> {
  world.count("left");
  await world.deployment.calm();
  const { id } = (answer.events?.[0]?.response ?? {}) as Fields;
  if (id === undefined || `${id}`.startsWith("resp_of_vendor")) return;
  const { answer: kept, calls } = await world.send(
    asked.who,
    { provider: "@chats" },
    { method: "GET", path: `/v1/responses/${id}` },
  );
  expect(calls).toEqual([]);
  if (kept.status === 404) return void world.model.seen.push(`${id}`);
  expect(["completed", "incomplete"]).toContain(kept.body.status);
  expect(made.map(({ said }) => said?.text)).toContain(textIn(kept.body));
  keep(world, asked, kept.body);
}

function keep(world: World, asked: Asked, response: Fields): void {
  const { tenant, items } = asked;
  const id = String(response.id);
  expect(world.model.seen, "an id given twice").not.toContain(id);
  world.model.seen.push(id);
  if (asked.store !== false && !asked.outage)
    world.model.keep({ id, tenant, response, items, expiresAt: Date.now() + seconds * 1000 });
}

async function answered(
  world: World,
  asked: Asked,
  answer: Heard,
  call: Call | undefined,
  together: boolean,
): Promise<void> {
  const final = asked.stream ? finalOf(answer) : answer.body;
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  if (!final || !call) throw new Error(`no end: ${JSON.stringify(answer)}`);
  if (call.provider === "native" && !isMovedOn(asked)) {
    expect(final).toEqual(call.response);
    world.model.seen.push(String(final.id));
    return;
  }
  if (call.provider === "native") world.count("moved on");
  const { said } = call;
  const output = final.output as Fields[];
  expect(textIn(final)).toBe(said?.text);
  expect(output.filter(({ type }) => type === "function_call")).toMatchObject(
    (said?.calls ?? []).map(({ id, ...made }) => ({ call_id: id, ...made })),
  );
  expect(final).toMatchObject({
    status: said?.isCut ? "incomplete" : "completed",
    previous_response_id: asked.previous ?? null,
  });
  if (!asked.outage) expect(final.store).toBe(asked.store !== false);
  for (const { response } of answer.events ?? [])
    if (response)
      expect(response).toMatchObject({
        id: final.id,
        store: final.store,
        previous_response_id: final.previous_response_id,
      });
  answer.events?.forEach(({ sequence_number: at }, place) => void expect(at).toBe(place));
  if (call.provider !== "native")
    expect(answer.headers["x-gateway-dropped-params"] ?? "").toEqual(
      asked.refersToUnknown ? expect.stringContaining("item_reference") : expect.not.stringContaining("item_reference"),
    );
  keep(world, asked, final);
  if (call.provider !== "native" && !together && (asked.previous !== undefined || asked.own.some(isReference(asked))))
    await checkTwin(world, asked, call);
}

/** Whoever says everything again has the vendor asked the very same. */
async function checkTwin(world: World, asked: Asked, { provider, body }: Call): Promise<void> {
  const { instructions } = asked.body;
  const twin = {
    model: "asked",
    input: asked.items,
    store: false,
    ...(instructions !== undefined && { instructions }),
  };
  const config = { provider: `@${provider}`, override_params: { model: "answers" } };
  const { calls } = await world.send(asked.who, config, { method: "POST", path: "/v1/responses", body: twin });
  world.count("twins");
  expect({ ...body, stream: undefined, stream_options: undefined, model: "answers" }).toEqual({
    ...calls[0]?.body,
    stream: undefined,
  });
}
