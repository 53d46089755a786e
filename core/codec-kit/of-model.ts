import { remembered } from "../keeping/remembered.ts";

/** What the name of a model says, read once: a request asks several times. The same name always says the same. */
export const ofModel = <Answer>(read: (model: string) => Answer): ((model: string) => Answer) =>
  remembered({ most: 1_000, longest: 200 }, read);
