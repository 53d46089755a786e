/** What providers are made from: the only file of core that providers import. */

/** The schemas options are described with; a provider from elsewhere shares this copy of them with the gateway. */
export { z } from "zod";
/** The version in the name of a Claude, whoever serves it. */
export { claudeVersion } from "../codec-kit/chat/claude.ts";
export { readJson, writeJson } from "../codec-kit/exact-json.ts";
/** The fields of a wire object nobody reads. */
export { leftovers } from "../codec-kit/fields/extra.ts";
/** Refuses a value of a request, naming its place, what it may be and what it was. */
export { refuse } from "../codec-kit/fields/refusal.ts";
/** Multipart forms: reading one. */
export { isFile, readForm } from "../codec-kit/forms/form.ts";
/** Media of items to embed, taken apart. */
export { type Media, mediaOf } from "../codec-kit/media/media.ts";
/** JSON objects: telling them, and leaving out their empty fields. */
export { compact, type Fields, isRecord, recordsIn } from "../codec-kit/records.ts";
/** An id for a call whose vendor gives none. */
export { callIdOf } from "../codec-kit/tools/accepted-id.ts";
/** What a vendor said went wrong. */
export type { ErrorDetail } from "../errors/error-detail.ts";
/** An error of the gateway's own table, for providers that have to refuse a request. */
export { GatewayError, raise } from "../errors/gateway-error.ts";
/** Frames of AWS event streams, one character per byte, for who speaks as AWS does. */
export { eventFrame, exceptionFrame } from "../http/aws-event-stream/events.ts";
/** What is kept within bounds, the oldest forgotten first. */
export { AgedMap } from "../keeping/aged-map.ts";
/** Jobs of many requests. */
export type * from "../model/batch.ts";
/** Models in the making. */
export type * from "../model/fine-tuning.ts";
/** Headers, by their names. */
export type * from "../model/headers.ts";
/** What a provider speaks for one operation. */
export type * from "../model/operation-spec.ts";
/** What clients ask about things vendors keep, and what a provider does it with. */
export type * from "../model/procedure.ts";
/** The parts a provider is described with. */
export type * from "../model/provider.ts";
/** Files that vendors keep, and files on their way. */
export type * from "../model/stored-file.ts";
/** How calls leave the gateway. */
export type * from "../model/transport.ts";
export type * from "../model/video-wire.ts";
/** Parts of addresses. */
export { percentDecoded } from "../percent-decoded.ts";
/** A secret option, and the type that keeps it from being printed. */
export { Secret, secret } from "../secrets/secret.ts";
/** AWS, whose services know callers by one set of credentials: options, who signs a call, and what refusals say. */
export { awsCaller } from "./aws/caller.ts";
export { readAwsError } from "./aws/error.ts";
export { type AwsOptions, type AwsService, awsDomain, awsDomainOf, awsHeaders, awsOptions } from "./aws/options.ts";
/** An answer of bytes, as it comes. */
export { byteAnswer } from "./byte-answer.ts";
/** Chats without what is said of caches. */
export { cacheMarkers, withoutCacheMarkers } from "./cache-markers.ts";
/** Counts the bytes of a file on its way. */
export { countedBytes } from "./counted-bytes.ts";
/** Declares a provider, and builds the usual credential headers. */
export { bearer, defineProvider, keyHeader } from "./define-provider.ts";
/** Microsoft Entra ID, which several vendors' hosts know callers by: options, and the headers they come to. */
export { entraCredential, entraLacks, entraToken } from "./entra.ts";
export {
  type EntraOptions,
  entraHeaders,
  entraMachineValues,
  entraOptions,
  entraTenantOptions,
} from "./entra-options.ts";
/** A variable that a vendor's platform sets. */
export { environmentVariable } from "./environment-variable.ts";
/** Asks a token server by OAuth 2.0, and says what to look at when there is no token. */
export { fetchToken, noToken, type TokenRequest } from "./fetch-token.ts";
/** Chats with GLM models, whose vendor serves them by two names. */
export { glmChats } from "./glm-chats.ts";
/** Videos of the vendor of GLM models. */
export { glmVideos } from "./glm-videos.ts";
/** Google Cloud, which knows callers by a service account or by what a machine is. */
export { type GoogleIdentity, googleCredential } from "./google.ts";
export { type ServiceAccount, serviceAccountIn } from "./google-account.ts";
/** What a host of OpenAI's image models does about the form that images are asked for in. */
export { imagesAsBytes } from "./images-as-bytes.ts";
/** Files of JSON, a line at a time: what clients send, what vendors send, and what is made of it. */
export {
  batchLine,
  inLine,
  type JsonLine,
  jsonLines,
  outcomeLine,
  readOutcome,
  streamed,
  vendorLines,
  writtenLines,
} from "./json-lines.ts";
/** Messages without fields that their vendor refuses. */
export { answeredFields, knownMessages } from "./known-messages.ts";
/** Betas of Claude's maker at hosts of others. */
export { hostedBetas, makersBetas } from "./maker-betas.ts";
/** What is kept by whoever serves the Messages API as its maker does. */
export { messageBatches } from "./messages-api/batches.ts";
export { type BetaWord, messageFiles } from "./messages-api/files.ts";
export { noThreads, refuseThread } from "./messages-api/no-threads.ts";
/** Where a vendor lists its models, for clients that ask as OpenAI's do. */
export { modelsAt } from "./models-at.ts";
/** The Messages API of vendors whose models are no Claudes. */
export { ownSignatures } from "./own-signatures.ts";
/** All of a list of models that comes in pages. */
export { modelsByLastId, modelsByToken } from "./paged-models.ts";
/** Messages of a chat whose texts are one text each. */
export { withTexts } from "./plain-texts.ts";
/** Conversations for vendors that take texts only. */
export { type PlainTurns, plainTurns } from "./plain-turns.ts";
/** Tokens of vendors that trust the platform a machine runs on: what it says in a file is exchanged for one. */
export { type PlatformIdentity, platformCredential } from "./platform-credential.ts";
/** What a provider says of itself. */
export type {
  CommonOptions,
  OperationInput,
  OperationInputs,
  ProviderDefinition,
  ProviderInput,
} from "./provider-definition.ts";
/** What OpenAI takes by its Responses API only. */
export { refusedIn } from "./refused-in-chat.ts";
/** A JSON schema with all schemas in it changed. */
export { schemasWithin } from "./schemas-within.ts";
/** Objects in the storage of a cloud, which are files there. */
export { addressId, filenameOf, folderOf, keyPath, type Storage, type StoragePlace, storage } from "./storage-place.ts";
/** Chats with models that refuse every field they do not know, at their vendor and at clouds that serve them. */
export { strictChats } from "./strict-chats.ts";
/** Chats with models that think: how much, whose calls are forced, and histories without thoughts. */
export {
  forcesTool,
  hasCalls,
  isThinkingOff,
  noThinking,
  plainEffort,
  withThoughts,
  withThoughtsIn,
  withThreeEfforts,
} from "./thinking-chats.ts";
/** Tokens that are kept while they are good, and renewed before they expire. */
export { TokenCache } from "./token-cache.ts";
export { type Token, type TokenSource, type TokenSourceInput, tokenSource } from "./token-source.ts";
/** Times as vendors write them. */
export { unixSeconds } from "./unix-seconds.ts";
/** Messages of a chat without parts that a vendor cannot be shown. */
export { withoutParts } from "./unseen-parts.ts";
/** Messages of a chat, with their parts as a vendor takes them. */
export { withParts } from "./with-parts.ts";
/** Reads comma-separated headers for vendors that do not know all of their words. */
export { type WordTable, wordFilter } from "./word-filter.ts";
/** Reads the XML of storage services. */
export { xmlError, xmlText } from "./xml-text.ts";
