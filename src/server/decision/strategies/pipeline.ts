/** A message that asks for the same steps for each of many things, which a script does the same way every time. */
const THINGS =
	'(?:archives?|files?|folders?|director(?:y|ies)|packages?|modules?|images?|branches|repos(?:itories)?|rows?|lines?|csvs?|jsons?|components?|\\p{L}*-?dateien?|\\p{L}*ordnern?|komponenten?|verzeichnis(?:se[ns]?)?|paketen?|pakete|modulen?|bildern?|bilder|zeilen?|bild|\\p{L}*-?datei|paket|modul)';
const MANY = new RegExp(`(?<!\\p{L})${THINGS}(?!\\p{L})`, 'iu');
/** The words between may say which of them. */
const ALL_OF_THEM = new RegExp(
	`(?<!\\p{L})(?:all|every|each|alle[nrs]?|jede[nrsm]?) (?:[^\\s,;]+ ){0,3}?${THINGS}(?!\\p{L})`,
	'iu',
);
const BULK =
	/(?:^|[\s,;(])(?:rename|convert|resize|compress|extract|copy|move|normalize|format|count|collect|prepend|append|strip|download|export|delete|remove|replace|update|sort|process|add|lint|generate|lösche?|entferne?|ersetze?|aktualisiere?|sortiere?|verarbeite?|füge|erzeuge?|lege?|prüfe|benenne?|konvertiere?|wandle?|verkleinere?|komprimiere?|extrahiere?|kopiere?|verschiebe?|normalisiere?|formatiere?|zähle?|sammle?)(?!\p{L})/iu;
const BEGINS_WITH_EACH = /^(?:for (?:each|every)|in (?:each|every)|für jede[nrs]?|in jede[rm]) /i;
const SCRIPT_BY_NAME =
	/(?<!\p{L})(?:(?:as|with|by|in) (?:a|one) (?:script|pipeline)|als (?:ein |eine )?(?:skript|pipeline)|mit einem skript|(?:make|write|build) a (?:script|pipeline) (?:that|to|which)|(?:baue?|schreibe?) (?:ein|eine) (?:skript|pipeline)|batch[- ](?:process|convert|rename))(?!\p{L})/iu;

/** Steps that name their order are a plan, also where one of them is for many things; what begins with each thing is none. */
const ORDERED_STEPS =
	/(?<!\p{L})(?:first|zuerst|zunächst|erst|als erstes)(?!\p{L}).{3,400}?(?<!\p{L})(?:then|after that|afterwards|finally|dann|danach|anschließend|schließlich|zum schluss)(?!\p{L})/isu;

export function isPipeline(text: string): boolean {
	return (
		SCRIPT_BY_NAME.test(text) ||
		(BEGINS_WITH_EACH.test(text) && MANY.test(text)) ||
		(BULK.test(text) && ALL_OF_THEM.test(text) && !ORDERED_STEPS.test(text))
	);
}
