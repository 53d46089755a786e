import { patronusJudge } from "../../partners/patronus.ts";

export default patronusJudge({
  name: "noRacialBias",
  passes: "without racial bias",
  evaluator: "judge",
  criteria: "patronus:no-racial-bias",
});
