import type { Migrations } from '../../store/migrate.ts';

/**
 * Index of the files of one workspace folder. The index keeps no text but the names of declarations: `code_words` holds
 * which words are in which place, but not their order; `file_words` holds the words of paths, names and first lines;
 * the text of a place is read from its file when it is shown. `given_vectors` holds one vector for each place, made by
 * a provider's model.
 */
export const indexMigrations: Migrations = [
	`
	CREATE TABLE files (
		number INTEGER PRIMARY KEY,
		path TEXT NOT NULL UNIQUE,
		size INTEGER NOT NULL,
		changed_at REAL NOT NULL
	) STRICT;
	CREATE TABLE chunks (
		number INTEGER PRIMARY KEY,
		file INTEGER NOT NULL REFERENCES files (number) ON DELETE CASCADE,
		start_line INTEGER NOT NULL,
		end_line INTEGER NOT NULL,
		symbol TEXT NOT NULL,
		vector BLOB NOT NULL
	) STRICT;
	CREATE INDEX chunks_of_file ON chunks (file);
	CREATE VIRTUAL TABLE code_words USING fts5 (words, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2');
	CREATE VIRTUAL TABLE file_words USING fts5 (words, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2');
	CREATE TABLE made (embedding INTEGER NOT NULL) STRICT;
	INSERT INTO made VALUES (0);

	CREATE TRIGGER chunks_forget_words AFTER DELETE ON chunks BEGIN
		DELETE FROM code_words WHERE rowid = old.number;
	END;
	CREATE TRIGGER files_forget_words AFTER DELETE ON files BEGIN
		DELETE FROM file_words WHERE rowid = old.number;
	END;
	`,
	`
	CREATE TABLE given_vectors (
		chunk INTEGER PRIMARY KEY REFERENCES chunks (number) ON DELETE CASCADE,
		model TEXT NOT NULL,
		dimensions INTEGER NOT NULL,
		vector BLOB NOT NULL
	) STRICT;
	`,
];
