package io.polder.files;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.List;

/** Why an operation on a file failed, without the file's name: of many exceptions of {@code java.nio.file} the name is all they say. */
public final class Reason {
    private static final List<String> NO_ROOM = List.of("No space left on device", "Disk quota exceeded");

    private Reason() {}

    /** Whether it is for want of room, which is nobody's mistake and may be over another time; also where that is a cause's cause. */
    public static boolean isNoRoom(Throwable e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            String message = String.valueOf(cause.getMessage());
            if (cause instanceof IOException && NO_ROOM.stream().anyMatch(message::contains)) {
                return true;
            }
        }
        return false;
    }

    public static String of(IOException e) {
        if (e instanceof FileSystemException named && named.getReason() != null) {
            return named.getReason();
        } else if (e instanceof NoSuchFileException) {
            return "there is no such file or directory";
        } else if (e instanceof AccessDeniedException) {
            return "permission denied";
        } else if (e instanceof DirectoryNotEmptyException) {
            return "a directory with files in it is in the way";
        } else if (e instanceof FileAlreadyExistsException) {
            return "there is one already";
        } else if (e instanceof NotDirectoryException) {
            return "it is not a directory";
        } else if (e instanceof AtomicMoveNotSupportedException) {
            return "it cannot be renamed in one piece here";
        } else if (e instanceof CharacterCodingException) {
            return "it is not text in UTF-8";
        } else {
            return e.getMessage() == null || e instanceof FileSystemException
                    ? e.getClass().getSimpleName()
                    : e.getMessage();
        }
    }
}
