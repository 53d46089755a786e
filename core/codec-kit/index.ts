/** What the codecs of wire formats have in common. */

/** Reads and writes the messages of AWS event streams, for formats that are framed so. */
export { eventFrame, exceptionEvent, exceptionFrame, exceptionIn } from "../http/aws-event-stream/events.ts";
/** Errors as AWS's clients read them. */
export { awsErrors } from "./aws-errors.ts";
export { awsModelErrors } from "./aws-model-errors.ts";
/** Reads and writes where a prompt cache may end. */
export {
  breakpointFor,
  haveBreakpoints,
  markedParts,
  markerOf,
  reportMarker,
  withFewBreakpoints,
  withMarkers,
} from "./cache/markers.ts";
/** Finds turns of Claudes that other vendors began. */
export { foundBegunElsewhere } from "./chat/begun-elsewhere.ts";
/** What Claudes can do, whoever serves them. */
export {
  type ClaudeAbilities,
  claudeAbilities,
  claudeAnswer,
  claudeEffort,
  claudeRoom,
  claudeSampling,
  claudeVersion,
  type Sampling,
  type Thinking,
} from "./chat/claude.ts";
/** What a Claude is told of thinking that its client wants to read. */
export { shownThinking, wantsThoughts, withoutUsualDisplay } from "./chat/claude-display.ts";
/** What Claudes take of a choice among tools. */
export { isForcing, takenChoice } from "./chat/claude-tool-choice.ts";
/** What Claudes want of a turn that goes on while tools are called. */
export { mayStartThinking, withoutLastThoughts, withoutOpenThinking } from "./chat/claude-turn.ts";
/** Documents in chats: their names, which are texts, and which are videos. */
export { fileNameFor, isTextType, isVideo, isYouTube } from "./chat/documents.ts";
/** What moderation found, for formats that tell it side by side. */
export { moderationOf } from "./chat/moderated.ts";
/** Code that a vendor ran, for formats without a place for it. */
export { RanText, withRanCode } from "./chat/ran-code.ts";
/** Refuses what is lost on vendors of other formats. */
export { type NativeOnly, refuseNative } from "./chat/refuse-native.ts";
/** Names of users as vendors take them. */
export { shortUser } from "./chat/short-user.ts";
/** Proofs of thinking, in places where a format has those of one vendor only. */
export {
  borrowedSignature,
  callProof,
  isSignedElsewhere,
  isSignedFor,
  proofChunks,
  proofForCall,
  readSignature,
  type Signed,
  unsigned,
  writeSignature,
} from "./chat/signatures.ts";
/** Refuses a chat of which nothing is left to be answered; instructions, and what is left of them. */
export { isInstruction, isSaidElsewhere, refuseSilence } from "./chat/silence.ts";
/** The stop sequences that say something, and those that can be seen. */
export { fewStops, saidStops, visibleStops } from "./chat/stops.ts";
/** How clients of several formats switch thinking. */
export { displayApart, summaryField, thinkingSwitchOf } from "./chat/thinking-switch.ts";
/** Puts what was said next behind a conversation, where it belongs. */
export { inTurns } from "./chat/turns.ts";
/** A chat in which the user has a turn. */
export { withUserTurn } from "./chat/user-turn.ts";
/** Finds the ends of texts in JSON. */
export { endOfText } from "./end-of-text.ts";
/** Reads the error bodies that are common among vendors. */
export { readErrorBody } from "./error-body.ts";
/** Errors inside streams in the words of a client's format. */
export { type ErrorWords, errorTypeIn, usualError, usualErrorFrame } from "./error-type.ts";
/** JSON whose long whole numbers stay as they were written. */
export { asReadIn, asWritten, longNumberIn, memberText, readJson, withMembers, writeJson } from "./exact-json.ts";
/** Reads a value of a request by a schema that says what it takes by its types. */
export { checked } from "./fields/checked.ts";
/** The fields nobody reads: finding them, carrying them in an `extra`, and reporting those of other formats. */
export {
  extraIn,
  fieldsBeyond,
  leftovers,
  ownFields,
  reportForeign,
  saidBeyond,
} from "./fields/extra.ts";
/** What a format does with the extras it made, and with those of others. */
export { type Extras, extrasOf, joined, type WireExtra } from "./fields/extras.ts";
export { fits } from "./fields/fits.ts";
/** Schemas for fields of answers that are not worth refusing an answer for. */
export { lenientNumber, lenientText, lenientWord } from "./fields/lenient.ts";
/** What only one format has, as it was written in it, and what is lost of it elsewhere. */
export { carriedOpaque, ownOpaque } from "./fields/own-opaque.ts";
/** Reads a wire object by its schema, and refuses it where it does not fit. */
export { parseAnswer, parseRequest } from "./fields/parse.ts";
/** Refuses a value of a request, naming its place, what it may be and what it was; reads one, or refuses it. */
export { mustBe, objectAt, refuse, shown, textAt } from "./fields/refusal.ts";
/** Tells of each lost field once. */
export { reportOnce } from "./fields/report-once.ts";
/** Values that ask for nothing, or for what everybody does anyway. */
export { declareUsual, saysNothing, usualTiers } from "./fields/usual-values.ts";
/** Tells citations of the web, and reads those of vendors that write them otherwise. */
export { isWebCitation, webCitationsIn } from "./fields/web-citation.ts";
/** Multipart forms: reading one, and writing one. */
export { isFile, readForm, writeForm } from "./forms/form.ts";
/** Bytes in letters that somebody names. */
export { decodedText } from "./media/decoded-text.ts";
/** Sizes of images: their measures, and the nearest of the ratios there are. */
export { measuresOf, nearestRatio } from "./media/image-size.ts";
/** The type of an image by its first bytes; media of items to embed, taken apart; parts of such items, put together. */
export { imageTypeOf } from "./media/image-type.ts";
export { itemInOne } from "./media/in-one.ts";
export { type Media, mediaOf, withMedia } from "./media/media.ts";
export { textOfBytes } from "./media/text-of-bytes.ts";
/** A vendor's list of models as clients read one. */
export { modelList, modelListUrl } from "./model-list.ts";
/** Reads what the name of a model says once. */
export { ofModel } from "./of-model.ts";
/** What vectors are for, in the words of a vendor. */
export { purposeIn } from "./purposes.ts";
/** JSON objects: telling them, leaving out their empty fields, and looking into tables by names from outside. */
export {
  compact,
  type Draft,
  type Fields,
  fieldsIn,
  isEmpty,
  isJsonText,
  isRecord,
  jsonOr,
  lookUp,
  putMember,
  recordsIn,
} from "./records.ts";
/** The schema of the arguments of a tool as most vendors take it. */
export { argumentsSchema } from "./schema/arguments-schema.ts";
/** A JSON Schema as those take it who hold a model to it while it writes. */
export { answerSchema, type CompilableSchema, compilable } from "./schema/compilable-schema.ts";
export { isPlainObjectSchema, plainObjectSchema } from "./schema/plain-object-schema.ts";
/** What references within a schema lead to. */
export { targetOf } from "./schema/schema-target.ts";
/** Lists that become longer piece by piece, and are copied once. */
export { GrowingLists } from "./streams/growing-lists.ts";
/** Where the text of a part stands in all text of a stream. */
export { PartSpans } from "./streams/part-span.ts";
/** Chunks in an order in which the blocks of parts do not overlap. */
export { PartsInTurn } from "./streams/parts-in-turn.ts";
/** How a stream that passed through ended, put together from what its frames say. */
export { type FrameSays, isDone, readEnds } from "./streams/stream-end.ts";
/** Frames that differ from one before in their text only. */
export { TextFrames } from "./streams/text-frames.ts";
/** Streams of events with a type, which only pass through. */
export { typedEvents } from "./streams/typed-events.ts";
/** Texts that say nothing, and streams without them. */
export { isBlank, VisibleText } from "./streams/visible-text.ts";
/** Writes the id of a call as vendors take it, and makes one where a vendor gives none. */
export { acceptedId, callIdOf, shortId } from "./tools/accepted-id.ts";
/** A chat with those of its tools only that may be called. */
export { type FreeRequest, withAllowedTools } from "./tools/allowed-tools.ts";
/** Writes and reads the arguments of a tool call. */
export { argumentsObject, jsonArguments, objectArguments, parseArguments } from "./tools/arguments.ts";
/** The id of a call as clients are given it. */
export { clientId } from "./tools/client-id.ts";
/** Tools that take free text, as the functions of one text they are for formats that know functions only. */
export {
  customTool,
  customToolsIn,
  customToolsOf,
  inputArguments,
  inputBegin,
  inputEnd,
  inputPiece,
  isCustomCall,
} from "./tools/custom-tools.ts";
/** Takes the free text out of the arguments of a call: as they arrive, and whole. */
export { InputReader, inputIn } from "./tools/input-reader.ts";
/** Tools that only one format has, and what clients call them. */
export { carriedNative, nativeName } from "./tools/native-tools.ts";
/** What tools gave besides texts, where results hold texts only. */
export { ShownResults } from "./tools/shown-results.ts";
/** Names of tools as most vendors take them. */
export { plainNames } from "./tools/tool-names.ts";
/** Tools that do not wait for a search any more. */
export { undeferred } from "./tools/undeferred.ts";
/** Tells calls of one id from each other. */
export { withUniqueIds } from "./tools/unique-ids.ts";
/** A chat without tools, and without words about calling them. */
export { withoutToolUse } from "./tools/without-tool-use.ts";
/** What a vendor says that it charged. */
export { chargedIn, writtenCharge } from "./usage/charged.ts";
/** What of a chat request is counted, and the answers of those who count. */
export { counted, countIn } from "./usage/counted.ts";
/** Arithmetic of token counts: reading one, adding what is known, taking the parts out of a total. */
export { lessParts, sumOf, tokenCount, totalOf } from "./usage/counts.ts";
/** Counts that have their parts in them, as disjoint buckets. */
export { disjoint, type InclusiveCounts } from "./usage/disjoint.ts";
/** Reads what an answer of which nobody knows the format says it used, by the marks of formats. */
export { type Recognised, recognised } from "./usage/recognised.ts";
/** Usage with the service tier named beside it. */
export { withTier } from "./usage/tiers.ts";
/** Usage of streams as it is asked for in `stream_options`. */
export { askingUsage, forceStreamUsage } from "./usage/usage-frames.ts";
/** What a stream has used by what its frames have said up to one of them. */
export { usageSoFar } from "./usage/usage-so-far.ts";
/** Formats that no client speaks. */
export { vendorsOnly } from "./vendors-only.ts";
/** A value without what paths lead to. */
export { withoutPaths } from "./without-paths.ts";
