/**
 * Words that tell an order to the agent from a description of software, in English and German. They only ever make a message
 * an order in a place where an order has them: as its verb, or as what that verb is done to.
 */
import { toWordSet } from '../turn/plain-words.ts';

/** Verbs of what an agent can look at or run now. */
export const LOOKING_VERBS = toWordSet(
	'check look run rerun list summarize summarise tell report review fetch scan verify search find show give compare test',
	'audit lint read remind triage investigate execute repeat inspect analyze analyse monitor watch notify see ping',
	'prüfe prüf prüft führe führ sieh schau schaue fasse fass sag sage liste zeige zeig suche such melde gib starte lies teste',
	'vergleiche überprüfe kontrolliere wiederhole analysiere durchsuche',
	'überprüfen prüfen auflisten ausführen nachsehen nachschauen suchen zusammenfassen melden lesen testen vergleichen lassen',
	'kontrollieren wiederholen analysieren durchsuchen sagen zeigen',
);

/** Verbs of what changes something: of the agent's own work, or of what a program is to do. */
export const CHANGING_VERBS = toWordSet(
	'clean write export archive prepare post draft update close label generate create send delete remove collect count build',
	'schedule format publish',
	'räume räum schreibe schreib exportiere archiviere entwirf aktualisiere schließe erzeuge erstelle lösche entferne sammle zähle',
	'baue sende schicke plane hole',
	'aufräumen schreiben exportieren archivieren entwerfen vorbereiten aktualisieren schließen erzeugen erstellen löschen sammeln',
	'zählen bauen posten aufsetzen committen',
);

/** Changes that are made to developers' own things; of the others, a time behind them may be that of a program. */
export const WRITING_VERBS = toWordSet(
	'clean write prepare post draft update label schedule aufräumen schreibe schreib entwirf aktualisiere räume räum',
);

/** Things that the work of developers is about, and where an agent looks for it. */
export const DEVELOPERS_THINGS = toWordSet(
	'test tests suite build builds ci issue issues pr prs pull commit commits branch branches diff lint linter dependencies deps',
	'dependency npm audit benchmark benchmarks coverage todo todos changelog release log logs deploy deployment links repo',
	'repository advisories vulnerabilities docs readme main master conflicts license licenses warnings typecheck tsc standup sprint',
	'statistics temp threads disk pipeline bundle flaky outdated stale cve cves lockfile e2e fuzz milestone',
	'testsuite issues abhängigkeiten branches commits ci-status sicherheitshinweisen sicherheitshinweise lizenzen benchmarks',
	'änderungen doku fehlerlog serverlog konflikte release-notes übersicht statistik temp-ordner fehlschlagenden logs',
	'testlauf lint-lauf testabdeckung pull-requests dokumentation repository deployment diesem',
);

/** Somebody is told what was found. */
export const TELLING_WORDS = toWordSet('me us mir uns bescheid');

/** Things that only a program has, and those who only use one: with these, the message is about software. */
export const SOFTWARE_THINGS = toWordSet(
	'user users customer customers client clients subscriber subscribers member members admin admins visitor visitors session',
	'sessions cache caches token tokens cookie cookies component components endpoint endpoints function functions method class',
	'job jobs cron cronjob worker workers workflow workflows action timer polling hook hooks script page pages button app screen dom',
	'websocket heartbeat email emails e-mail e-mails css api thread queue daemon service',
	'nutzer benutzer nutzern benutzern kunde kunden anwender sitzung sitzungen komponente funktion klasse methode seite knopf button',
	'mitglieder e-mails dienst',
);

/** A wish about how something is to be, or a reason: whoever orders something now does not say these. */
export const DESCRIBING_WORDS = toWordSet(
	'should must shall needs ought so because unless otherwise sollte sollten soll sollen muss müssen damit weil da sodass',
	'falls',
);

/** They begin a clause that only describes what is before them. */
export const RELATIVE_WORDS = toWordSet('that which who whose where when if because while');

/** Subjects that are no order's verb: a sentence that begins with one says something about somebody. */
export const SUBJECT_PRONOUNS = toWordSet(
	"i we you he she it they the a an this that these those my our your his its their there here everyone someone nobody it's i'm",
	'ich wir du er sie es der die das ein eine dieser diese dieses mein meine unser unsere man jemand',
);
