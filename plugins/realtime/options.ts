import { z } from "../../core/index.ts";

const mebibyte = 1024 * 1024;

export const realtimeOptions = z.strictObject({
  messageBytes: z
    .int()
    .min(1)
    .default(16 * mebibyte)
    .describe("Bytes of one frame; whoever sends a longer one is closed with 1009. ${MAX_WS_MESSAGE_BYTES:-16777216}"),
  bufferBytes: z
    .int()
    .min(0)
    .default(8 * mebibyte)
    .describe("Bytes that wait for one side before the other is not read any further."),
  openTimeout: z.int().min(1).default(10_000).describe("Milliseconds for the provider's socket to open."),
  pingInterval: z.int().min(1).default(30_000).describe("Milliseconds between two pings, to either side."),
  credentialInterval: z
    .int()
    .min(1)
    .default(30_000)
    .describe("Milliseconds between two looks at whether the key that a session was opened with still holds."),
});

export type RealtimeOptions = z.output<typeof realtimeOptions>;
