/** How the frames of a stream are held together. */
export interface Wrapping {
  frame(json: string, isFirst: boolean): string;
  /** After the last frame. `isEmpty` when there was none. */
  end(isEmpty: boolean): string;
  /** After the error that a stream failed with. */
  readonly broken: string;
}

/**
 * Behind an error stands a comment that is not ended: the SDK before `@google/genai` reads errors in streams as answers that say nothing,
 * but not a stream that ends in the middle (google-gemini/generative-ai-js, stream-reader: "Failed to parse stream").
 */
export const events: Wrapping = { frame: (json) => `data: ${json}\n\n`, end: () => "", broken: ": failed\n" };
export const list: Wrapping = {
  frame: (json, isFirst) => `${isFirst ? "[" : ",\r\n"}${json}`,
  end: (isEmpty) => (isEmpty ? "[]" : "\n]\n"),
  broken: "\n]\n",
};
