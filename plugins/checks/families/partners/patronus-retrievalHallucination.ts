import { patronusJudge } from "../../partners/patronus.ts";

export default patronusJudge({
  name: "retrievalHallucination",
  passes: "that make nothing up",
  evaluator: "hallucination",
  criteria: "patronus:hallucination",
});
