/** What is said aloud, and heard, with what it used where that is told. */

const text = "Four words of tea.";

const usageOf = (input: number, output: number) => ({
  ...{ type: "tokens", input_tokens: input, output_tokens: output, total_tokens: input + output },
});

interface Heard {
  readonly words: string[];
  readonly end: string[];
}

const event = (fields: object): string => `data: ${JSON.stringify(fields)}\n\n`;

/** A whole answer of a transcription. */
export const transcript = (told: boolean, input: number, output: number): object => ({
  text,
  ...(told && { usage: usageOf(input, output) }),
});

/** The events of one that is streamed. */
export const transcriptEvents = (told: boolean, input: number, output: number): Heard => ({
  words: [event({ type: "transcript.text.delta", delta: text })],
  end: [event({ type: "transcript.text.done", ...transcript(told, input, output) })],
});

/** What is heard, as a client sends it. */
export function recording(model: string, stream: boolean): FormData {
  const form = new FormData();
  form.append("model", model);
  if (stream) form.append("stream", "true");
  form.append("file", new Blob(["RIFF"], { type: "audio/wav" }), "tea.wav");
  return form;
}

/** What a body says of its model, and of how it is to be answered. */
export function askedIn(body: string): { readonly model: string; readonly stream?: boolean } {
  if (body.startsWith("{")) return JSON.parse(body);
  const field = (name: string) => new RegExp(`name="${name}"\\r\\n(?:[^\\r]+\\r\\n)*\\r\\n([^\\r]*)`).exec(body)?.[1];
  return { model: field("model") ?? "", stream: field("stream") === "true" };
}
