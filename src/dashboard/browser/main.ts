import { editTheme } from "./edit-theme.ts";
import { fillFromFragment } from "./fill-from-fragment.ts";
import { offerCopies } from "./offer-copies.ts";
import { offerPrint } from "./offer-print.ts";
import { refreshLive } from "./refresh-live.ts";
import { sendOnce } from "./send-once.ts";
import { showCurrentSection } from "./show-current-section.ts";
import { showPreview } from "./show-preview.ts";
import { showProblem } from "./show-problem.ts";
import { showValues } from "./show-values.ts";

// Every page works without scripts; these add convenience.
document.documentElement.className = "scripted";
fillFromFragment(document);
sendOnce(document);
offerCopies(document);
offerPrint(document);
refreshLive(document);
showCurrentSection(document);
showPreview(document);
editTheme(document);
showValues(document);
showProblem(document);
