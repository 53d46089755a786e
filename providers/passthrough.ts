import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "passthrough",
  summary:
    "Any HTTP service: requests and answers pass untouched. Needs a base URL, or a custom host with the request.",
  raw: true,
  anonymous: true,
  // The client's own credential headers go on as they are, so none is made here.
  authenticate: () => undefined,
  operations: {},
});
