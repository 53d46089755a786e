import { patronusJudge } from "../../partners/patronus.ts";

export default patronusJudge({
  name: "noGenderBias",
  passes: "without gender bias",
  evaluator: "judge",
  criteria: "patronus:no-gender-bias",
});
