;; Runs in Emacs 28 or newer with eglot and markdown-mode; see neovim.lua.
(require 'package)
(package-activate-all)
(require 'json)
(load (getenv "CUEDECK_SNIPPET") nil t)
(setq eglot-sync-connect t
      eglot-connect-timeout 60
      make-backup-files nil)
(set-language-environment "UTF-8")

(defun wait-for (wanted)
  (with-timeout (20)
    (while (not (funcall wanted)) (accept-process-output nil 0.02))
    t))

(setq root default-directory)
(find-file (getenv "CUEDECK_CARD"))
(run-hooks 'post-command-hook)          ; `eglot-ensure' connects after the first command
(let (answers (card (current-buffer)))
  (search-forward "[[auth#Login")
  (call-interactively #'xref-find-definitions)
  (push (cons 'definition (vector (file-relative-name (buffer-file-name) root) (line-number-at-pos))) answers)
  (switch-to-buffer card)
  (goto-char (point-max))
  (insert "🙂 [[lim")
  (let ((found (eglot-completion-at-point)))
    (push (cons 'completion (vconcat (all-completions "" (nth 2 found)))) answers))
  (delete-region (line-beginning-position) (point-max))
  (insert "🙂 [[auth#Logn flow]]\nsaved by an editor\n")
  (flymake-start)
  (eglot--signal-textDocument/didChange)
  (wait-for #'flymake-diagnostics)
  (push (cons 'diagnostics
              (vconcat (mapcar (lambda (each)
                                 (goto-char (flymake-diagnostic-beg each))
                                 (vector (line-number-at-pos) (current-column) (flymake-diagnostic-text each)))
                               (flymake-diagnostics))))
        answers)
  (save-buffer)
  (let ((scene (expand-file-name "../SCENE.md")))
    (push (cons 'saved
                (wait-for (lambda ()
                            (with-temp-buffer
                              (ignore-errors (insert-file-contents scene))
                              (search-forward "saved by an editor" nil t)))))
          answers))
  (with-temp-file (getenv "CUEDECK_ANSWERS") (insert (json-encode answers)))
  (call-interactively #'eglot-shutdown))
