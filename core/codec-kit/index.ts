/** What the codecs of wire formats have in common. */

/** Writes the messages of AWS event streams, for the encoders of formats that are framed so. */
export { eventFrame, exceptionEvent, exceptionFrame } from "../http/aws-event-stream/events.ts";
/** Writes the id of a call as vendors take it. */
export { acceptedId } from "./accepted-id.ts";
/** Reads the arguments of a tool call. */
export { parseArguments } from "./arguments.ts";
/** Reads a value of a request by a schema that says what it takes by its types. */
export { checked } from "./checked.ts";
/** What Claudes can do, whoever serves them. */
export {
  type ClaudeAbilities,
  claudeAbilities,
  claudeSampling,
  claudeVersion,
  type Sampling,
  type Thinking,
} from "./claude.ts";
/** A JSON Schema as those take it who hold a model to it while it writes. */
export { answerSchema, type CompilableSchema, compilable } from "./compilable-schema.ts";
/** What of a chat request is counted, and the answers of those who count. */
export { counted, countIn } from "./counted.ts";
/** Arithmetic of token counts: reading one, adding what is known, taking the parts out of a total. */
export { lessParts, sumOf, tokenCount, totalOf } from "./counts.ts";
/** Tools that take free text, as the functions of one text they are for formats that know functions only. */
export {
  customTool,
  customToolsOf,
  inputArguments,
  inputBegin,
  inputEnd,
  inputPiece,
  isCustomCall,
} from "./custom-tools.ts";
/** Reads the error bodies that are common among vendors. */
export { readErrorBody } from "./error-body.ts";
/** The fields nobody reads: finding them, carrying them in an `extra`, and reporting those of other formats. */
export { extraIn, fieldsBeyond, leftovers, ownFields, reportForeign, saidBeyond } from "./extra.ts";
/** What a format does with the extras it made, and with those of others. */
export { type Extras, extrasOf, joined, saysNothing, type WireExtra } from "./extras.ts";
export { fits } from "./fits.ts";
/** Multipart forms: reading one, and writing one. */
export { isFile, readForm, writeForm } from "./form.ts";
/** Takes the free text out of the arguments of a call: as they arrive, and whole. */
export { InputReader, inputIn } from "./input-reader.ts";
/** Schemas for fields of answers that are not worth refusing an answer for. */
export { lenientNumber, lenientText, lenientWord } from "./lenient.ts";
/** A vendor's list of models as clients read one. */
export { modelList, modelListUrl } from "./model-list.ts";
/** Reads a wire object by its schema, and refuses it where it does not fit. */
export { parseAnswer, parseRequest } from "./parse.ts";
/** Chunks in an order in which the blocks of parts do not overlap. */
export { PartsInTurn } from "./parts-in-turn.ts";
/** Reads what an answer of which nobody knows the format says it used, by the marks of formats. */
export { type Recognised, recognised } from "./recognised.ts";
/** JSON objects: telling them, leaving out their empty fields, and looking into tables by names from outside. */
export { compact, type Fields, isJsonText, isRecord, jsonOr, lookUp } from "./records.ts";
/** Refuses a value of a request, naming its place, what it may be and what it was; reads one, or refuses it. */
export { mustBe, objectAt, refuse, shown, textAt } from "./refusal.ts";
/** Tells of each lost field once. */
export { reportOnce } from "./report-once.ts";
/** Names of users as vendors take them. */
export { shortUser } from "./short-user.ts";
/** Proofs of thinking, in places where a format has those of one vendor only. */
export {
  borrowedSignature,
  isSignedElsewhere,
  isSignedFor,
  proofChunks,
  readSignature,
  type Signed,
  unsigned,
  writeSignature,
} from "./signatures.ts";
/** The stop sequences that say something, and those that can be seen. */
export { saidStops, visibleStops } from "./stops.ts";
/** How a stream that passed through ended, put together from what its frames say. */
export { type FrameSays, isDone, readEnds } from "./stream-end.ts";
/** Frames that differ from one before in their text only. */
export { TextFrames } from "./text-frames.ts";
/** Streams of events with a type, which only pass through. */
export { typedEvents } from "./typed-events.ts";
/** Usage of streams as it is asked for in `stream_options`. */
export { askingUsage, forceStreamUsage } from "./usage-frames.ts";
/** A chat in which the user has a turn. */
export { withUserTurn } from "./user-turn.ts";
