/** Verbs with which an agent says what it did, and what each is a claim of. English and German. */

/** `test`: tests pass. `effect`: something was done, and the answer does not say what ("Done."). */
export type ClaimKind =
	| 'edit'
	| 'run'
	| 'test'
	| 'build'
	| 'commit'
	| 'push'
	| 'send'
	| 'install'
	| 'start'
	| 'schedule'
	| 'remember'
	| 'effect';

export interface ClaimVerb {
	readonly kind: ClaimKind;
	/** Means work by itself; any other verb needs a file, code or a word for work beside it. */
	readonly isPlain: boolean;
}

function listVerbs(kind: ClaimKind, isPlain: boolean, verbs: string): readonly (readonly [string, ClaimVerb])[] {
	return verbs.split(' ').map((verb) => [verb, { kind, isPlain }] as const);
}

/** Past tense and participle, in lower case. */
export const CLAIM_VERBS: ReadonlyMap<string, ClaimVerb> = new Map([
	...listVerbs(
		'edit',
		true,
		'fixed updated edited modified renamed refactored implemented patched deleted rewrote rewritten migrated extracted inlined bumped reverted restored scaffolded formatted reformatted removed upgraded downgraded optimized optimised rückgängig optimiert wiederhergestellt aktualisiert bearbeitet umbenannt behoben implementiert gelöscht umgeschrieben umgestellt refaktoriert formatiert migriert repariert entfernt gefixt',
	),
	...listVerbs(
		'edit',
		false,
		'created added changed moved replaced written wrote applied inserted corrected adjusted saved made generated stored set introduced split merged-in registered wired documented simplified converted erstellt angelegt geändert hinzugefügt verschoben ersetzt korrigiert geschrieben angepasst eingefügt gespeichert ergänzt umgesetzt eingebaut ausgelagert abgelegt gesetzt vereinfacht dokumentiert erzeugt',
	),
	...listVerbs('run', false, 'ran executed stopped killed ausgeführt gestoppt angehalten beendet'),
	...listVerbs('build', false, 'compiled rebuilt built kompiliert gebaut'),
	...listVerbs('commit', true, 'committed commited rebased committet commitet eingecheckt'),
	...listVerbs('commit', false, 'merged pulled gemergt zusammengeführt'),
	...listVerbs('push', true, 'pushed published deployed released gepusht veröffentlicht deployt ausgerollt'),
	...listVerbs('push', false, 'opened closed geöffnet geschlossen'),
	...listVerbs(
		'send',
		true,
		'emailed mailed messaged notified uploaded hochgeladen sent gesendet geschickt versendet verschickt abgeschickt benachrichtigt',
	),
	...listVerbs('send', false, 'posted submitted gepostet'),
	...listVerbs('install', true, 'installed uninstalled installiert deinstalliert nachinstalliert'),
	...listVerbs('start', false, 'started launched restarted relaunched gestartet neugestartet'),
	...listVerbs('schedule', true, 'scheduled eingeplant terminiert'),
	...listVerbs('remember', true, 'remembered memorized gemerkt'),
]);

/** Words that may stand between the subject and its verb. */
export const BETWEEN_SUBJECT_AND_VERB = new Set(
	'have ’ve just also then now both successfully finally since all already-now went ahead and quickly carefully therefore'.split(
		' ',
	),
);

/** A word for work in the reach of an agent: with it, also a vague verb is a claim. */
export const WORK_WORDS = new Set(
	(
		'file files function functions method methods class classes component components module modules config configuration test tests import imports code script scripts bug bugs typo typos dependency dependencies directory directories folder folders endpoint endpoints migration migrations schema stylesheet documentation readme changes change implementation fix helper handler route routes hook field column table index branch commit pull pr request server service container suite linter build check checks command commands migration package packages library it them everything message messages email mail summary slack channel comment issue ticket retry validation logging guard case cases line lines value values type types interface api app process worker database project repository repo workflow pipeline job error handling ' +
		'datei dateien funktion funktionen methode methoden klasse klassen komponente komponenten modul module konfiguration test tests importe skript skripte fehler abhängigkeit abhängigkeiten ordner verzeichnis projekt änderung änderungen dokumentation paket pakete befehl befehle server dienst nachricht e-mail mail zusammenfassung kanal kommentar ticket branch commit alles prüfung spalte tabelle feld schnittstelle'
	).split(' '),
);

/** Makes a sentence no plain statement of what was done, in front of the claim. */
export const NOT_PLAIN = new Set(
	(
		'not never unable cannot without could would should might may must can will if once whether unless until when ensure need want let please earlier previously yesterday nobody none nothing no neither sure to what that which whatever why how where because think thought believe assume pretend said says say asked wish hope hardly almost nearly instead todo ' +
		'nicht nichts niemand nie kein keine keinen keinem keiner ohne könnte könnten würde würden sollte sollten möchte kann muss werde wird wirst wenn falls sobald ob bitte bereits vorhin gestern zuvor dass was welche welcher warum wie fast beinahe früher'
	).split(' '),
);

/** Only "I opened a pull request" sends something. */
export const OPENED_THINGS = new Set('pr pull-request pull request mr merge issue ticket pull-requests'.split(' '));

/** With one of these, what was saved or deleted is a memory. */
export const MEMORY_WORDS = new Set('memory memories gedächtnis erinnerung erinnerungen'.split(' '));

/** Behind the participle of a German clause these show that its subject is another. */
export const OF_OTHERS = new Set('wurde wurden worden wird werden hat haben ist sind hatte hatten'.split(' '));
