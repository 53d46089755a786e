import { patronusJudge } from "../../partners/patronus.ts";

export default patronusJudge({
  name: "isConcise",
  passes: "that are concise",
  evaluator: "judge",
  criteria: "patronus:is-concise",
});
