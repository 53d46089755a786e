/** What the codecs of wire formats have in common. */

/** Writes the messages of AWS event streams, for the encoders of formats that are framed so. */
export { eventFrame, exceptionEvent, exceptionFrame } from "../http/aws-event-stream/events.ts";
/** Arithmetic of token counts: reading one, adding what is known, taking the parts out of a total. */
export { lessParts, sumOf, tokenCount, totalOf } from "./counts.ts";
/** Reads the error bodies that are common among vendors. */
export { readErrorBody } from "./error-body.ts";
/** The fields nobody reads: finding them, carrying them in an `extra`, and reporting those of other formats. */
export { extraIn, fieldsBeyond, leftovers, ownFields, reportForeign } from "./extra.ts";
/** Schemas for fields of answers that are not worth refusing an answer for. */
export { lenientNumber, lenientText, lenientWord } from "./lenient.ts";
/** JSON objects: telling them, leaving out their empty fields, and looking into tables by names from outside. */
export { compact, type Fields, isRecord, lookUp } from "./records.ts";
/** Refuses a value of a request, naming its place, what it may be and what it was. */
export { mustBe, refuse, shown } from "./refusal.ts";
/** How a stream that passed through ended, put together from what its frames say. */
export { type FrameSays, isDone, readEnds } from "./stream-end.ts";
