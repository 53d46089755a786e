import { z } from "../../core/index.ts";

const mebibyte = 1024 * 1024;

export const socketOptions = z.strictObject({
  messageBytes: z
    .int()
    .min(1)
    .default(16 * mebibyte)
    .describe(
      "Bytes of one frame, and of turns that wait before no more are read; whoever sends a longer one is closed with 1009.",
    ),
  eventBytes: z
    .int()
    .min(1)
    .default(16 * mebibyte)
    .describe("Bytes of one event of an answer; one that is longer ends the answer with an error."),
  bufferBytes: z
    .int()
    .min(0)
    .default(8 * mebibyte)
    .describe("Bytes that wait for a client before answers, and what it says, are not read any further."),
  turns: z
    .int()
    .min(1)
    .default(64)
    .describe("Turns of one socket that are answered, or wait for one before them; one more is a 429."),
  memoryBytes: z
    .int()
    .min(0)
    .default(16 * mebibyte)
    .describe(
      "Characters of JSON that one socket remembers of responses nobody stores; the oldest are forgotten first.",
    ),
  pingInterval: z.int().min(1).default(30_000).describe("Milliseconds between two pings."),
  credentialInterval: z
    .int()
    .min(1)
    .default(30_000)
    .describe("Milliseconds between two looks at whether the key that a socket was opened with still holds."),
});

export type SocketOptions = z.output<typeof socketOptions>;
