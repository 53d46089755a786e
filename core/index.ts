/** The public surface of core: the only file of it that plugins import. */

/** The schemas options are described with; a plugin from elsewhere shares this copy of them with the gateway. */
export { z } from "zod";
/** Declares a guardrail check, and what a check is given and gives back. */
export * from "./check-kit/index.ts";
/** What the codecs of wire formats have in common, each export with its own sentence there. */
export * from "./codec-kit/index.ts";
/** The error codes and what follows from each: status, body family, retryability. */
export { type ErrorCode, type ErrorRow, errorTable } from "./errors/error-table.ts";
/** The one error class, and a thrower for expressions. */
export { type ErrorDetails, GatewayError, raise } from "./errors/gateway-error.ts";
/** The order of taps within a hook. */
export { type HookName, Stage } from "./hooks.ts";
/** What the client is given. */
export type { Answer, WireAnswer } from "./model/answer.ts";
/** Jobs of many requests. */
export type * from "./model/batch.ts";
/** The canonical chat shapes. */
export type * from "./model/chat.ts";
/** The canonical text completion shapes. */
export type * from "./model/completion.ts";
/** The parts messages are made of. */
export type * from "./model/content.ts";
/** The canonical answer to a count of tokens. */
export type * from "./model/count.ts";
/** The canonical embedding shapes. */
export type * from "./model/embedding.ts";
/** What a vendor said went wrong. */
export type { ErrorDetail } from "./model/error-detail.ts";
/** The exchange and what belongs to it. */
export type * from "./model/exchange.ts";
/** Models in the making. */
export type * from "./model/fine-tuning.ts";
/** Multipart forms. */
export type * from "./model/form.ts";
/** What a wire format is. */
export type * from "./model/format.ts";
/** The canonical image shapes. */
export type * from "./model/image.ts";
/** The canonical moderation shapes. */
export type * from "./model/moderation.ts";
/** The canonical OCR shapes. */
export type * from "./model/ocr.ts";
/** What clients ask about things vendors keep, and how both sides go about it. */
export type * from "./model/procedure.ts";
/** A provider ready to be called. */
export type * from "./model/provider.ts";
/** The request as taps see it. */
export type { GatewayRequest } from "./model/request.ts";
/** The canonical rerank shapes. */
export type * from "./model/rerank.ts";
/** Routes, targets, outcomes. */
export type * from "./model/route.ts";
/** The routing config object: fields, strategies, nodes. */
export type * from "./model/routing.ts";
/** The canonical speech shapes. */
export type * from "./model/speech.ts";
/** Files that vendors keep, and files on their way. */
export type * from "./model/stored-file.ts";
/** The chunks of a canonical stream. */
export type * from "./model/stream.ts";
/** The canonical transcription shapes. */
export type * from "./model/transcription.ts";
/** Token counts and cost. */
export type * from "./model/usage.ts";
/** Chunks of a stream into a whole answer. */
export { type Assembler, assembler } from "./pipeline/assemble.ts";
/** The JSON of a stream frame, or the error that makes the road skip it. */
export { parseFrame } from "./pipeline/frames.ts";
/** What plugins ask providers on the gateway's own account. */
export type { InternalAnswer, InternalCall } from "./pipeline/internal-call.ts";
/** A whole answer as a stream. */
export { chunksOf } from "./pipeline/replay.ts";
/** Replaces the canonical body of a request, in a tap on `beforeRequest`. */
export { withBody } from "./pipeline/wire-request.ts";
/** How a plugin is declared and what it is set up with. */
export * from "./plugin.ts";
/** What a routing config says about the provider of a leaf. */
export type { ProviderTerms } from "./provider-kit/brought.ts";
/** An answer of a vendor's, as it comes. */
export { byteAnswer } from "./provider-kit/byte-answer.ts";
/** The providers of a deployment. */
export type { ProviderRegistry } from "./provider-kit/registry.ts";
/** What stores of records are made from. */
export * from "./records-kit/index.ts";
/** What strategies are made from. */
export * from "./routing-kit/index.ts";
/** The service of the routing plugin, for plugins that add fields or strategies to the config object. */
export { Routing } from "./routing-service.ts";
/** A value that cannot be printed. */
export { Secret, secret } from "./secret.ts";
/** Tells the other processes of a deployment something. */
export * from "./services/bus.ts";
/** Bytes and vectors that may be lost, kept apart by tenant. */
export * from "./services/cache.ts";
/** Cosine, for whoever keeps vectors. */
export { nearestOf, unitVector } from "./services/likeness.ts";
/** Records that must not be lost. */
export * from "./services/records.ts";
/** The connection to Redis, where there is one. */
export * from "./services/redis.ts";
/** Where a plugin keeps what it knows of an exchange. */
export * from "./slot.ts";
/** Whose things a principal's are. */
export { tenantOf } from "./tenant.ts";
/** What workers of this machine tell each other, for the plugin that provides the bus. */
export { type WorkersChannel, workersChannel } from "./workers-channel.ts";
