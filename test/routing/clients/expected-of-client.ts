import { expect } from "vitest";
import {
  type Answered,
  type Body,
  expectHead,
  expectRefused,
  forwardedIn,
  type Manner,
  resultsIn,
  resultsOf,
} from "../expectations.ts";
import type { Ended, Predicted } from "../prediction.ts";
import type { Fields } from "../trees.ts";
import type { Call } from "../vendors.ts";
import { type Client, type Said, type Speech, speechAt } from "./speech.ts";

/** A vendor: the name it is known by, and the format it speaks to a client. */
export interface Vendor {
  readonly provider: string;
  readonly speech: Speech;
}

/** How a client asks and is answered in its own format, before vendors of which each has one. */
export function mannerOf(client: Client, vendorOf: (slug: string) => Vendor): Manner {
  return {
    sent: client.sent,
    seen: (call) => seen(call),
    foreseen: (call) => foreseen(call, client, vendorOf(call.slug).speech),
    told: ({ url, body }) => {
      const path = new URL(url).pathname.split("/").slice(2).join("/");
      return speechAt(path).asked(path, body as Fields);
    },
    foretold: ({ body }) => saidIn(body, client),
    expectReply(answered, prediction) {
      const { ended } = prediction;
      if (ended === "refused") {
        expectRefused(answered);
        return void expect(JSON.parse(answered.body.toString())).toMatchObject(client.error);
      }
      const vendor = ended.slug === undefined ? undefined : vendorOf(ended.slug);
      expectHead(answered, ended, vendor?.provider);
      const { call } = ended;
      if (call && vendor) expectLost(answered, lostOf(client, call.body, vendor));
      expectBody(client, answered, { ended, calls: prediction.calls.length, ...vendor });
    },
  };
}

function seen(call: Call) {
  const { place, path, headers, said } = call;
  return { place, key: headers[speechAt(path).key.header], said, forwarded: forwardedIn(call) };
}

const foreseen = ({ place, key, body, forwarded }: Predicted, client: Client, speech: Speech) => ({
  place,
  key: `${speech.key.before}${key}`,
  said: saidIn(body, client),
  forwarded,
});

/** The fields of a body that a vendor is not told, because its format has no place for them. */
export function lostOf(client: Client, body: Fields, { provider, speech }: Vendor): readonly string[] {
  if (client.speech === speech) return [];
  const lost = Object.keys(body).filter((name) => body[name] !== null && client.loses(name, body[name], provider));
  return lost.toSorted();
}

/** Gemini's fields have two spellings. */
const expectLost = ({ headers }: Answered, lost: readonly string[]) =>
  expect(headers["x-gateway-dropped-params"]?.toString().replace("maxTokens", "max_tokens") ?? "").toBe(lost.join(","));

const saidIn = (body: Fields, client: Client): Said => ({
  model: body.model,
  streams: body.stream === true,
  text: client.texts(body).join(""),
  temperature: client.temperature(body),
});

interface About {
  readonly ended: Ended;
  /** How many there were: the last one says so. */
  readonly calls: number;
  readonly provider?: string;
  readonly speech?: Speech;
}

function expectBody(client: Client, { headers, body }: Answered, about: About): void {
  const { ended, calls, provider, speech } = about;
  const text = body.toString();
  const { call, status } = ended;
  if (status <= 299 && call?.body.stream === true) {
    expect(headers["content-type"]).toMatch(
      client.name === "gemini in lists" ? /^application\/json/ : /^text\/event-stream/,
    );
    return expectStream(client, text, about);
  }
  const heard = JSON.parse(text) as Body;
  expect(heard.hook_results && resultsIn(heard.hook_results)).toEqual(resultsOf(ended));
  if (status > 299) {
    expect(heard).toMatchObject(client.error);
    if (status === 446) expect(heard.error).toMatchObject({ message: expect.any(String) });
    else if (!call) expect(heard).toMatchObject({ status: "failure", message: expect.any(String) });
    else if (call.behaviour.kind === "refuses")
      expect(heard).toMatchObject({
        error: { message: `${provider} error: No ${calls}.` },
        provider,
      });
  } else if (client.isPassedThrough && client.speech === speech && !heard.hook_results)
    expect(text).toBe(speech?.whole(calls));
  else expect(client.readWhole(JSON.parse(text))).toBe(`call ${calls}`);
  if (call?.behaviour.kind === "well" || call?.behaviour.kind === "refuses")
    expect(headers["x-vendor"]).toBe(`call ${calls}`);
}

function expectStream(client: Client, text: string, { ended, calls, speech }: About): void {
  const { call, input } = ended;
  const isWell = call?.behaviour.kind === "well";
  const { own, told } = withoutAsides(client, text);
  const read = client.readStream(own);
  expect({ ...read, error: read.error !== undefined }, text).toEqual({
    text: isWell ? `call ${calls} and more` : expect.stringMatching(new RegExp(`^(?:call ${calls})?$`)),
    isWhole: isWell,
    error: !isWell,
  });
  const isTold = client.aside && call?.lenient;
  const sides = [input.results, isWell ? (call?.output.results ?? []) : []];
  expect(told).toEqual(sides.map((side) => (isTold && side.length > 0 ? side : undefined)));
  if (client.isPassedThrough && client.speech === speech && isWell) expect(own).toBe(speech?.pieces(calls).join(""));
}

/** A stream, and what was said beside it: in front and behind. */
function withoutAsides(client: Client, text: string) {
  let own = text;
  const told = (["before_request_hooks", "after_request_hooks"] as const).map((side, at) => {
    const begin = client.aside?.(side) ?? "nowhere";
    const from = own.indexOf(begin);
    if (from < 0) return undefined;
    const to = own.indexOf("\n\n", from) + 2;
    // In front of everything, or behind it.
    expect(at === 0 ? from : to).toBe(at === 0 ? 0 : own.length);
    const data = own.slice(from, to).replace(/^event: .*\ndata: /, "");
    own = own.slice(0, from) + own.slice(to);
    return resultsIn((JSON.parse(data) as Body).hook_results ?? {})[at];
  });
  return { own, told };
}
