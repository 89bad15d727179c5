/** A message that asks for somebody who stays with a matter, or works on it beside this thread. */
const SUB_AGENT_BY_NAME =
	/(?<!\p{L})(?:(?:start|spawn|use|launch|create|let|have|give|hand|run|assign|send|starte?|nimm|nutze?|verwende|beauftrage|erstelle|lass|schicke?) (?:\p{L}+ ){0,5}?(?:(?:sub|unter)-?agent(?:en|s)?|(?:another|separate|anderen|zweiten) agent(?:en)?)|(?:an?|ein) (?:sub|unter)-?agent (?:should|shall|soll|kann)|(?:to|with|an|mit|by) (?:an?|einem|einen) (?:separate |own |eigenen |zweiten )?(?:sub|unter)-?agent(?:en)?)(?!\p{L})/iu;
const WATCH =
	/^(?:(?:please|bitte|can you|could you|kannst du)[, ]+)?(?:keep an eye on|keep watching|keep monitoring|watch (?:over )?(?!out\b)|monitor |behalte? .{1,80} im (?:auge|blick)|überwache? |beobachte? )/iu;
const BESIDE =
	/(?<!\p{L})(?:in the background|im hintergrund|while i (?:work|go|keep|continue)|während ich|in parallel to (?:this|my)|nebenbei|nebenher)(?!\p{L})/iu;
/** Code that runs beside something, or watches something, is what is built. */
const BUILDS_WATCHING =
	/(?<!\p{L})(?:watch mode|implement|write (?:a|an|the) (?:function|class|watcher|script|test)|thread|worker|process|daemon|service|function|runs? in the background|running in the background|css|color|colour|image|bild|farbe|implementiere|funktion|läuft im hintergrund)(?!\p{L})/iu;

export function isAboutWatching(text: string): boolean {
	return SUB_AGENT_BY_NAME.test(text) || ((WATCH.test(text) || BESIDE.test(text)) && !BUILDS_WATCHING.test(text));
}
