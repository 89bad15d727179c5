@rem For `npm start` on Windows, where cmd.exe has no `exec`. Elsewhere the shell makes way for Node, so that the signals of npm reach it.
@%*
