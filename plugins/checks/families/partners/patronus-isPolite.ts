import { patronusJudge } from "../../partners/patronus.ts";

export default patronusJudge({
  name: "isPolite",
  passes: "that are polite",
  evaluator: "judge",
  criteria: "patronus:is-polite",
});
