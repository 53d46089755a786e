import { patronusJudge } from "../../partners/patronus.ts";

export default patronusJudge({
  name: "noApologies",
  passes: "without apologies",
  evaluator: "judge",
  criteria: "patronus:no-apologies",
});
