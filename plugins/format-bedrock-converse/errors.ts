import { awsModelErrors } from "../../core/index.ts";

/** Invocations and conversations fail alike. */
export const { decodeError, encodeError, errorHeaders, streamException } = awsModelErrors;
