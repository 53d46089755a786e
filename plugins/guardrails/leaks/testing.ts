import type { Format, WireEvent } from "../../../core/index.ts";

/** What a client must not get to read. */
export const secret = "zyxwvu";
/** The same in two pieces, neither of which stands in anything else that formats write. */
const [head, tail] = ["it is zyx", "wvu."];
export const whole = head + tail;

/** Places of an answer that hold the secret: in the words of a format, and how that makes an answer and a stream of them. */
export interface Vendor<Said> {
  readonly format: Format<"chat">;
  answer(said: Said): object;
  stream(said: Said): readonly WireEvent[];
  readonly places: Readonly<Record<string, Said>>;
}

export type Json = Readonly<Record<string, unknown>>;
export const event = (data: Json, name?: string): WireEvent => ({
  data: JSON.stringify(data),
  ...(name !== undefined && { event: name }),
});
export const pieces = (text: unknown): string[] => (text === whole ? [head, tail] : [String(text)]);

/** What is said of the tokens of it. */
export const tokens = {
  content: [{ token: "zyx" }, { token: "wvu" }].map((one) => ({
    ...one,
    logprob: -1,
    bytes: null,
    top_logprobs: [one],
  })),
};
