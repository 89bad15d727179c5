/**
 * Finds claims of effects in an answer: that files were changed, commands or tests run, work committed. English and
 * German. Only plain statements of the agent about itself count: a passive, a third person, a wish, a plan, a
 * condition, a question, a quotation and a "not" are no claim. A missed claim does little harm; a false alarm does
 * much.
 */
export interface Claim {
	readonly kind: 'edit' | 'run' | 'test' | 'commit';
	/** Sentence of the answer. */
	readonly sentence: string;
	/** Files that the sentence names. */
	readonly paths: readonly string[];
}

/** Words with which a sentence says that something was not, or not yet, done, or was done by others or another time. */
const NOT_SAID =
	/\b(?:not|never|unable|cannot|\w+n['’]t|without|could|would|should|might|may|must|can|will|if|once|whether|unless|until|when|make sure|ensure|need|want|let me|please|earlier|previously|already|last time|yesterday|before|nicht|nie|kein\w*|ohne|könnte\w*|würde\w*|sollte\w*|möchte\w*|kann\w*|muss\w*|werde\w*|wird|wirst|wenn|falls|sobald|ob|bitte|bereits|schon|vorhin|gestern|zuvor)\b/iu;

const CLAIMED_PATH =
	/(?:[\w@.-]+\/)+[\w.@-]*[\w@-]|\b[\w-]+\.(?:[cm]?[jt]sx?|json|md|py|rs|go|java|kt|rb|php|css|s[ac]ss|html?|ya?ml|toml|sh|sql|txt|xml|c|h|cc|cpp|hpp|cs|swift|vue|svelte|lock|ini|cfg|env)\b/gu;

const WORK_NOUN =
	/\b(?:files?|functions?|methods?|class(?:es)?|components?|modules?|config(?:uration)?|(?:unit )?tests?|imports?|code|scripts?|bugs?|typos?|dependenc(?:y|ies)|director(?:y|ies)|folders?|endpoints?|migrations?|schemas?|stylesheets?|documentation|README|changes|implementation|Datei(?:en)?|Funktion(?:en)?|Methoden?|Klassen?|Komponenten?|Modul(?:e)?|Konfiguration|Importe?|Skripte?|Fehler|Abhängigkeit(?:en)?|Ordner|Verzeichnis|Änderungen|Dokumentation)\b/iu;

const EDITED =
	'(?:updated|created|edited|modified|changed|added|removed|deleted|renamed|moved|replaced|refactored|fixed|written|wrote|rewrote|rewritten|implemented|applied|inserted|patched|corrected|adjusted|saved)';
const EDITED_DE =
	'(?:aktualisiert|erstellt|geändert|bearbeitet|angelegt|hinzugefügt|entfernt|gelöscht|umbenannt|verschoben|ersetzt|behoben|korrigiert|geschrieben|implementiert|angepasst|eingefügt|umgestellt|gespeichert)';
const I_HAVE = "\\b(?:I|we)(?:['’]ve| have)?(?: (?:just|also|then|now|successfully|both|have))*";
const ICH_HABE = '\\b(?:ich habe|habe ich|wir haben|haben wir)\\b(?:(?!\\bwurden?\\b)[^!?])*\\b';
/** Behind a participle that ends a clause about others: "Ich habe gesehen, dass `a.ts` geändert wurde." */
const OWN_END = '\\b(?! (?:wurden?|worden|hat|haben|ist|sind)\\b)';

const editedClaim = new RegExp(
	`${I_HAVE} ${EDITED}\\b|${I_HAVE} (?:[^.!?,]{3,60}), and ${EDITED}\\b|${ICH_HABE}${EDITED_DE}${OWN_END}`,
	'iu',
);
/** Matches an answer that begins with its claim: "Updated `a.ts`." */
const doneAtOnce = new RegExp(
	`^(?:(?:Done|Fertig|Erledigt)[.!:,]? ?[–—-]? ?)?(?:${EDITED}\\s|(?:(?!\\b(?:wurden?|worden|hat|haben|ist|sind)\\b).)*\\b${EDITED_DE}[.!]?$)`,
	'iu',
);
const ran = new RegExp(
	`${I_HAVE} (?:ran|executed|started|launched|installed|compiled|deployed|restarted)\\b|\\bI(?:['’]ve| have)(?: (?:just|also|now))* run\\b|${ICH_HABE}(?:ausgeführt|gestartet|installiert|gebaut|kompiliert|laufen lassen)${OWN_END}`,
	'iu',
);
const RAN_WHAT =
	/`[^`]+`|\b(?:tests?|test suite|build|linter|commands?|scripts?|server|type ?check\w*|packages?|dependenc(?:y|ies)|npm|yarn|pnpm|pytest|cargo|make|Befehle?|Skripte?|Testsuite|Pakete?|Abhängigkeit(?:en)?)\b/iu;
const tested =
	/\b(?:all|both|the|\d+)(?: of the)?(?: \d+)?(?: (?:unit|existing|new|integration|other))? tests (?:now |all |still )?(?:pass(?:ed)?|are (?:passing|green)|succeed(?:ed)?)\b|\b(?:alle|die|beide|\d+) (?:\d+ )?(?:neuen )?Tests (?:laufen|sind|bestehen|liefen)(?: (?:jetzt|nun|alle|wieder))*(?: (?:durch|grün|erfolgreich))?\b|\bTests? (?:wurden )?(?:alle )?bestanden\b/iu;
const committed =
	/\b(?:I|we)(?:['’]ve| have)?(?: (?:just|also|then|now|successfully))* (?:committed|pushed|merged|rebased)(?: and (?:committed|pushed|merged))? (?:the|your|all|it|them|everything|these|this|changes|both|to\b|as\b|`)|\b(?:I|we)(?:['’]ve| have)? (?:created|made|opened) (?:a|the) (?:new )?(?:commit|pull request|merge request)\b|\b(?:ich habe|habe ich)\b[^.!?]*\b(?:committet|commitet|eingecheckt|gepusht|gemergt)\b/iu;

/** The end of a long answer is where it says what was done; no sentence of a claim is longer. */
const MAX_CLAIMING_CHARS = 8_000;
const MAX_SENTENCE = 500;

/**
 * In the order of the answer. `isOfWork`: the answer reports work that was asked for, so a subject that is left out ("Updated
 * `a.ts`.") or shared ("we") is the agent. Tests that pass are claimed only beside what the agent says that it did.
 */
export function claimsIn(answer: string, { isOfWork } = { isOfWork: true }): Claim[] {
	const hasCode = /^ {0,3}(?:```|~~~)/mu.test(answer);
	const isList = /^\s*(?:#|>|[-*•]\s|\d+[.)])/u.test(answer);
	const claims = splitAnswerSentences(answer).flatMap((sentence, index): Claim[] => {
		const paths = [...sentence.matchAll(CLAIMED_PATH)].map(([path]) => path);
		const isFirst = isOfWork && index === 0 && !isList;
		const kinds = sentence.endsWith('?') ? [] : listClaimKinds(sentence, { paths, hasCode, isFirst, isOfWork });
		return kinds.map((kind) => ({ kind, sentence, paths }));
	});
	return claims.some(({ kind }) => kind !== 'test') ? claims : [];
}

interface Around {
	readonly paths: readonly string[];
	readonly hasCode: boolean;
	/** Begins the answer, whose subject may be left out. */
	readonly isFirst: boolean;
	readonly isOfWork: boolean;
}

function listClaimKinds(sentence: string, around: Around): Claim['kind'][] {
	const act = actIn(sentence, around);
	const isOfTests = tested.test(sentence) && !NOT_SAID.test(sentence);
	return [...(isOfTests ? ['test' as const] : []), ...(act === undefined ? [] : [act])];
}

function actIn(sentence: string, { paths, hasCode, isFirst, isOfWork }: Around): Claim['kind'] | undefined {
	if (hasClaim(committed, sentence, isOfWork)) {
		return 'commit';
	}
	if (hasClaim(ran, sentence, isOfWork) && RAN_WHAT.test(sentence)) {
		return 'run';
	}
	// Code that is shown was written into the answer; only a file that is named was claimed to be changed.
	const isOfFiles = paths.length > 0 || (!hasCode && WORK_NOUN.test(sentence));
	const isEdit =
		hasClaim(editedClaim, sentence, isOfWork) ||
		(isFirst && paths.length > 0 && hasClaim(doneAtOnce, sentence, isOfWork));
	return isOfFiles && isEdit ? 'edit' : undefined;
}

/**
 * Returns true when the sentence makes the claim. Text after the claim, such as the purpose of a change, does not take
 * it back, unless it begins with a word like "no" or "nothing".
 */
function hasClaim(claim: RegExp, sentence: string, isOfWork: boolean): boolean {
	const found = claim.exec(sentence);
	if (found === null || (!isOfWork && /^(?:we|wir|haben wir)\b/iu.test(found[0]))) {
		return false;
	}
	const end = found.index + found[0].length;
	return !NOT_SAID.test(sentence.slice(0, end)) && !/^ (?:no|nothing|none|nichts)\b/iu.test(sentence.slice(end));
}

/** Without code that is shown, quotations and headings. */
function splitAnswerSentences(answer: string): string[] {
	return answer
		.slice(-MAX_CLAIMING_CHARS)
		.replaceAll(/^ {0,3}(```|~~~)[\s\S]*?(?:^ {0,3}\1|$(?![\s\S]))/gmu, '\n')
		.replaceAll(/^\s*(?:>|#).*$/gmu, '\n')
		.replaceAll(/["“„][^"“”„\n]*["”“]/gu, '""')
		.split(/(?<=[.!?:])\s+|\n+/u)
		.map((sentence) =>
			sentence
				.replace(/^\s*(?:[-*•✅✓☑]|\d+[.)])\s*/u, '')
				.replaceAll('**', '')
				.trim(),
		)
		.filter((sentence) => sentence.length <= MAX_SENTENCE && !/^(?:(?:done|fertig|erledigt)[.!:]?)?$/iu.test(sentence));
}
