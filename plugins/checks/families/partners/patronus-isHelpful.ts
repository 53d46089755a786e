import { patronusJudge } from "../../partners/patronus.ts";

export default patronusJudge({
  name: "isHelpful",
  passes: "that are helpful",
  evaluator: "judge",
  criteria: "patronus:is-helpful",
});
