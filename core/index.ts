/** The public surface of core: the only file of it that plugins import. */

/** The schemas options are described with; a plugin from elsewhere shares this copy of them with the gateway. */
export { z } from "zod";
/** Whose things a principal's are, and whose findings it shares. */
export { tenantOf, workspaceKey } from "./access/tenant.ts";
/** What plugins that let people in are made from. */
export * from "./auth-kit/index.ts";
/** Declares a guardrail check, and what a check is given and gives back. */
export * from "./check-kit/index.ts";
/** Checks as what plugins bring. */
export { broughtCheck } from "./check-plugin.ts";
/** What the codecs of wire formats have in common, each export with its own sentence there. */
export * from "./codec-kit/index.ts";
/** Chunks of a stream into a whole answer. */
export { type Assembler, assembler } from "./codec-kit/streams/assemble.ts";
/** The JSON of a stream frame, or the error that makes the road skip it. */
export { parseFrame } from "./codec-kit/streams/frames.ts";
/** The options a map within a value may have, by its schema. */
export { knownKeys } from "./config/schema-walk.ts";
/** What stands at a path of plain data. */
export { valueAt } from "./config/values.ts";
/** What stores of counters are made from. */
export * from "./counters-kit/index.ts";
/** How a plugin is declared and what it is set up with. */
export { definePlugin } from "./define-plugin.ts";
/** The body of an error, as whoever answers in some other way writes it. */
export { gatewayErrorBody } from "./errors/error-body.ts";
/** What a vendor said went wrong. */
export type { ErrorDetail } from "./errors/error-detail.ts";
/** What was thrown, in words. */
export { errorMessage } from "./errors/error-message.ts";
/** The error codes and what follows from each: status, body family, retryability. */
export { type ErrorCode, type ErrorRow, errorTable } from "./errors/error-table.ts";
/** The one error class, and a thrower for expressions. */
export { type ErrorDetails, GatewayError, raise, unresolvedSecret } from "./errors/gateway-error.ts";
/** Functions of others that say whose they are when they fail. */
export { type Failed, failingAs } from "./failing-as.ts";
/** The order of taps within a hook. */
export { type HookName, Stage } from "./hooks.ts";
/** What plugins know of HTTP. */
export * from "./http/index.ts";
/** A page of things that are kept here, as vendors page theirs. */
export { itemPage } from "./item-page.ts";
/** What batch jobs of providers used, billed once. */
export * from "./jobs-kit/index.ts";
/** The bytes JSON is made of. */
export * from "./json-bytes.ts";
/** What is kept for a while. */
export * from "./keeping/index.ts";
/** What plugins that limit requests are made from. */
export * from "./limits-kit/index.ts";
/** What stores of logs are made from. */
export * from "./logs-kit/index.ts";
/** What the client is given. */
export type { Answer, Aside, WireAnswer } from "./model/answer.ts";
export type { Attempt } from "./model/attempt.ts";
/** Jobs of many requests. */
export type * from "./model/batch.ts";
/** The canonical chat shapes. */
export type * from "./model/chat.ts";
/** The client's side of what it asks about things that vendors keep. */
export type * from "./model/client-procedure.ts";
/** The clocks of an attempt. */
export type * from "./model/clocks.ts";
/** The canonical text completion shapes. */
export type * from "./model/completion.ts";
/** The parts messages are made of. */
export type * from "./model/content.ts";
/** The canonical answer to a count of tokens. */
export type * from "./model/count.ts";
/** The canonical embedding shapes. */
export type * from "./model/embedding.ts";
/** A place clients call. */
export type * from "./model/endpoint.ts";
/** The exchange and what belongs to it. */
export type * from "./model/exchange.ts";
/** Models in the making. */
export type * from "./model/fine-tuning.ts";
/** Multipart forms. */
export type * from "./model/form.ts";
/** What a wire format is. */
export type * from "./model/format.ts";
/** Frames of a stream, as they come. */
export type * from "./model/framing.ts";
/** Headers, as they came and by their names. */
export type * from "./model/headers.ts";
/** The canonical image shapes. */
export type * from "./model/image.ts";
/** How batch jobs tell what they used. */
export type * from "./model/job-wire.ts";
/** What has limits. */
export type * from "./model/limited.ts";
/** The log of the process. */
export type * from "./model/logger.ts";
/** The canonical moderation shapes. */
export type * from "./model/moderation.ts";
/** The canonical OCR shapes. */
export type * from "./model/ocr.ts";
/** What a provider speaks for one operation. */
export type * from "./model/operation-spec.ts";
/** The canonical shapes of each operation. */
export type * from "./model/operations.ts";
/** Who is asking. */
export type * from "./model/principal.ts";
/** What vendors are asked about things they keep, and how they go about it. */
export type * from "./model/procedure.ts";
/** A provider ready to be called. */
export type * from "./model/provider.ts";
/** The request as taps see it, and what one that was made of something saved brings along. */
export type * from "./model/request.ts";
/** The canonical rerank shapes. */
export type * from "./model/rerank.ts";
/** Routes, targets, outcomes. */
export type * from "./model/route.ts";
/** The routing config object: fields, strategies, nodes. */
export type * from "./model/routing.ts";
/** Endpoints whose clients ask for a websocket. */
export type * from "./model/socket.ts";
/** The canonical speech shapes. */
export type * from "./model/speech.ts";
/** Files that vendors keep, and files on their way. */
export type * from "./model/stored-file.ts";
/** What is said of prices by those who keep a provider. */
export type * from "./model/stored-pricing.ts";
/** The chunks of a canonical stream. */
export type * from "./model/stream.ts";
/** The canonical transcription shapes. */
export type * from "./model/transcription.ts";
/** How calls leave the gateway. */
export type * from "./model/transport.ts";
/** Token counts and cost. */
export type * from "./model/usage.ts";
/** Who sees the bytes of an answer pass. */
export type * from "./model/witness.ts";
/** Exact amounts. */
export { dollarsText, type Picodollars, picodollarsOf, picodollarsOfNumber } from "./money/money.ts";
/** What calls cost together, and what is said where nobody knows, or nobody was asked. */
export { budgeted, CostSum, noCost, totalCost, unknownCost } from "./money/total-cost.ts";
/** Tokens in, out and in all, and what several calls used together. */
export { countedTokens, tokensIn, tokensOut, totalTokens, usageSum } from "./money/usage-sums.ts";
/** What keeps something in MongoDB. */
export * from "./mongo-kit/index.ts";
/** What is probably meant by a name that is not known. */
export { didYouMean, editDistance, suggestion } from "./nearest.ts";
/** Words for what a process that only looks cannot know. */
export { notKnownHere } from "./not-known-here.ts";
/** What a plugin says is wrong with its options, told with its line of the config file. */
export { type OptionMistake, OptionsError, refuseOptions } from "./options-error.ts";
/** The gateway itself as a provider. */
export { isForGateway, ownProviderName, tapOwnProvider } from "./own-provider.ts";
/** Parts of addresses. */
export { percentDecoded } from "./percent-decoded.ts";
/** Which way a provider offers an operation in a request takes. */
export { chosenOperation } from "./pipeline/attempt/chosen-operation.ts";
/** What plugins ask providers on the gateway's own account. */
export type { InternalAnswer, InternalCall } from "./pipeline/internal-call.ts";
/** What plugins send along the road themselves. */
export type * from "./pipeline/own-road/own-road.ts";
/** What an answer is written with for others than the client. */
export { fullContext } from "./pipeline/reply/full-context.ts";
/** Whoever reads an answer that is not too large once it is whole. */
export { framingOf, streamWitness, wholeWitness } from "./pipeline/reply/raw-usage.ts";
/** A whole answer as a stream. */
export { chunksOf } from "./pipeline/reply/replay.ts";
/** Headers that taps add to what a target is sent, and what must not be seen of that. */
export { addHeader, sentSecrets } from "./pipeline/request/added-headers.ts";
/** Whether a client is to be told the usage of its stream. */
export { asksStreamUsage } from "./pipeline/request/asks-usage.ts";
/** What is said last of a request, of its labels. */
export { isOnlyBaggage } from "./pipeline/request/metadata.ts";
/** A URL without some of its parameters. */
export { withoutParameters } from "./pipeline/request/query-of.ts";
/** What the target under way is asked. */
export { requestOf } from "./pipeline/request/request-of.ts";
/** Whether a header of the gateway's own switches something on. */
export { saysTrue } from "./pipeline/request/says-true.ts";
/** What `traceparent` says. */
export { type TraceParent, traceParent } from "./pipeline/request/trace-parent.ts";
/** Makes a request out of JSON or of a canonical body. */
export { requestFrom, requestOfBody } from "./pipeline/request/wire-request.ts";
/** Replaces the canonical body of a request, in a tap on `beforeRequest`. */
export { withBody } from "./pipeline/request/with-body.ts";
/** Whether a client is strict at a target. */
export { isStrictAt } from "./pipeline/strictness.ts";
export type * from "./plugin.ts";
/** Who is shown to AWS, Microsoft Entra ID and Google Cloud, and other identities that are fetched and kept. */
export { awsCaller } from "./provider-kit/aws/caller.ts";
export { machineCredentials } from "./provider-kit/aws/credentials.ts";
export { type AwsOptions, awsDomainOf, awsOptions } from "./provider-kit/aws/options.ts";
export type { Credentials as AwsCredentials } from "./provider-kit/aws/renewed.ts";
export { signatureOf as awsSignature } from "./provider-kit/aws/sign.ts";
/** A provider that has nothing yet, for whoever stands in for one. */
export { bareProvider } from "./provider-kit/bare-provider.ts";
/** What a routing config says about the provider of a leaf. */
export type { ProviderTerms } from "./provider-kit/brought.ts";
/** An answer of a vendor's, as it comes. */
export { byteAnswer } from "./provider-kit/byte-answer.ts";
export { entraCredential } from "./provider-kit/entra.ts";
export { entraOptions } from "./provider-kit/entra-options.ts";
export { environmentVariable } from "./provider-kit/environment-variable.ts";
export { googleCredential } from "./provider-kit/google.ts";
/** The providers of a deployment. */
export type { ProviderMark } from "./provider-kit/provider-mark.ts";
export type { ProviderRegistry } from "./provider-kit/registry.ts";
export { type Token, type TokenSource, tokenSource } from "./provider-kit/token-source.ts";
/** What stores of records are made from. */
export * from "./records-kit/index.ts";
/** What records of the management API are made from. */
export * from "./resource-kit/index.ts";
/** What strategies are made from. */
export * from "./routing-kit/index.ts";
/** The service of the routing plugin, for plugins that add fields or strategies to the config object. */
export { Routing } from "./routing-service.ts";
/** A URL without what is secret in it. */
export { maskedUrl } from "./secrets/masked-url.ts";
/** Whether something is still the same, its secrets included, without keeping it. */
export { processMark, workersMark } from "./secrets/process-mark.ts";
/** What a service says without the credentials it was called with. */
export { withoutQuoted } from "./secrets/quoted-secrets.ts";
/** An address as records have it. */
export { recordedAddress } from "./secrets/recorded-address.ts";
/** What must not be kept of a request: names of secrets, and how they are masked. */
export { isSecretName, maskedValue, sanitisedUrl, withoutSecrets } from "./secrets/redaction.ts";
/** A value that cannot be printed. */
export { Secret, secret } from "./secrets/secret.ts";
/** URLs with secrets in them. */
export { hiddenUrl, withHiddenUrls } from "./secrets/secret-url.ts";
/** Names of services. */
export * from "./service-token.ts";
/** API keys, for those who make some on the gateway's own account. */
export * from "./services/api-keys.ts";
/** What happened, kept for those who must know later. */
export * from "./services/audit.ts";
/** Bytes that are kept. */
export * from "./services/blobs.ts";
/** What was used of budgets, for those who show them. */
export * from "./services/budgets.ts";
/** Tells the other processes of a deployment something. */
export * from "./services/bus.ts";
/** Bytes and vectors that may be lost, kept apart by tenant. */
export * from "./services/cache.ts";
/** The checks of guardrails. */
export * from "./services/checks.ts";
/** Who counts, and within which limits. */
export * from "./services/counters.ts";
/** Guardrails that are kept. */
export * from "./services/guardrails.ts";
/** Cosine, for whoever keeps vectors. */
export { nearestOf, unitVector } from "./services/likeness.ts";
/** What requests were, kept for those who ask later. */
export * from "./services/logs.ts";
/** Files that the gateway keeps. */
export * from "./services/managed-files.ts";
/** The management API, and what operations of it are. */
export * from "./services/management.ts";
/** Numbers for whoever watches. */
export * from "./services/metrics.ts";
/** What people are told of. */
export * from "./services/notifications.ts";
/** Organisations and their workspaces. */
export * from "./services/organisations.ts";
/** Policies that are kept, and who counts by them. */
export * from "./services/policies.ts";
/** What calls cost. */
export * from "./services/prices.ts";
/** Rates that are claimed along with budgets. */
export * from "./services/rates.ts";
/** Records that must not be lost. */
export * from "./services/records.ts";
/** The connection to Redis, where there is one. */
export * from "./services/redis.ts";
/** Encrypts what is kept. */
export * from "./services/sealing.ts";
/** Secrets that lie elsewhere. */
export * from "./services/secrets.ts";
/** Providers that are kept among the records. */
export * from "./services/stored-providers.ts";
/** Where a plugin keeps what it knows of an exchange. */
export * from "./slot.ts";
/** What endpoints are made from whose clients ask for a websocket. */
export * from "./socket-kit/index.ts";
/** What keeps something in an SQLite file of its own. */
export * from "./sqlite-kit/index.ts";
export { isAnswer, settleTap } from "./taps.ts";
/** When things are done, and how many of them at once. */
export * from "./time/index.ts";
/** Ids of what is kept in the order it comes in. */
export { timeOrderedId } from "./time-ordered-id.ts";
/** What is wrong with an option that names a provider there is not. */
export { unknownProvider } from "./unknown-provider.ts";
/** Lists that operators keep for vendors: prices, and what models can do. */
export { askForList, listsProxyFields, listsProxyRule } from "./vendor-lists.ts";
/** The version of this build. */
export { version } from "./version.ts";
/** Whether a generation answers, or only looks. */
export { whetherServing } from "./whether-serving.ts";
/** What workers of this machine ask the process they share. */
export { type SupervisorDesk, supervisorDesk } from "./workers/supervisor-desk.ts";
/** What workers of this machine tell each other, for the plugins that provide the bus and the metrics. */
export { type WorkersChannel, workerEnded, workersChannel } from "./workers/workers-channel.ts";
