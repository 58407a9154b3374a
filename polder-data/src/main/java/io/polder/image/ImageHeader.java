package io.polder.image;

import java.io.IOException;
import java.util.List;
import java.util.zip.CRC32;

/**
 * What an image file says of itself, read before anything is decoded: its format and size. Also tells files that were cut
 * short, which decoders tend to fill up with grey.
 *
 * <p>JPEG, PNG, WebP (still images) and BMP are known, by their contents; a file's name is not looked at. An image may
 * have 2<sup>26</sup> pixels.
 *
 * @param height of the image that is wanted of the file: upright, where it is to be turned
 * @param orientation how it is to be turned, as EXIF numbers it: 1 is not at all, 5 to 8 lie on their side
 * @param transparent whether it is to be laid on white
 */
public record ImageHeader(Format format, int height, int width, int orientation, boolean transparent) {
    public enum Format {
        JPEG,
        PNG,
        WEBP,
        BMP
    }

    /** 8192 x 8192, which takes 192 MiB to decode. */
    public static final int MOST_PIXELS = 1 << 26;

    private static final int[] PNG = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

    /** Of an image whose pixels are taken as they are stored. */
    public ImageHeader(Format format, int height, int width) {
        this(format, height, width, 1, false);
    }

    /**
     * Of the pixels as they are stored, which is what torchvision makes of a file: neither turned nor laid on anything.
     *
     * @param name what messages call the file
     * @param length of the file, at the start of the array
     * @throws IOException in one sentence, if this is no image, none of a known format, too large or cut short
     */
    public static ImageHeader of(String name, byte[] file, int length) throws IOException {
        ImageHeader stored = new Reading(name, file, length).read();
        return new ImageHeader(stored.format, stored.height, stored.width);
    }

    /**
     * Of the picture as programs show it: turned as the camera noted (EXIF), and on white where it is transparent.
     *
     * @see #of
     */
    public static ImageHeader asShown(String name, byte[] file, int length) throws IOException {
        ImageHeader stored = new Reading(name, file, length).read();
        return stored.isOnItsSide()
                ? new ImageHeader(stored.format, stored.width, stored.height, stored.orientation, stored.transparent)
                : stored;
    }

    int storedHeight() {
        return isOnItsSide() ? width : height;
    }

    int storedWidth() {
        return isOnItsSide() ? height : width;
    }

    private boolean isOnItsSide() {
        return orientation > 4;
    }

    private record Reading(String name, byte[] file, int length) {
        ImageHeader read() throws IOException {
            if (length == 0) {
                throw fault("is empty");
            }
            if (startsWith(0, 0xff, 0xd8, 0xff)) {
                return jpeg();
            }
            if (startsWith(0, PNG)) {
                return png();
            }
            if (startsWith(0, 'R', 'I', 'F', 'F') && startsWith(8, 'W', 'E', 'B', 'P')) {
                return webp();
            }
            if (startsWith(0, 'B', 'M')) {
                return bmp();
            }
            if (startsWith(4, 'f', 't', 'y', 'p')) {
                throw fault("is a picture in HEIC or AVIF, as some phones take them: save it as JPEG");
            }
            throw fault("is no image that can be read: JPEG, PNG, WebP and BMP can");
        }

        /** Goes from segment to segment to the one with the size, and looks for the end mark from the end. */
        private ImageHeader jpeg() throws IOException {
            ImageHeader header = null;
            int orientation = 1;
            int at = 2;
            while (true) {
                if (at + 4 > length || unsigned(at) != 0xff) {
                    throw fault("is damaged or cut short before its pixels");
                }
                int marker = unsigned(at + 1);
                if (marker == 0xff) { // fill bytes
                    at++;
                    continue;
                }
                if (marker == 0x01 || (marker >= 0xd0 && marker <= 0xd7)) { // without contents
                    at += 2;
                    continue;
                }
                int segment = big16(at + 2);
                if (segment < 2 || segment > length - at - 2) {
                    throw fault("is damaged or cut short before its pixels");
                }
                // SOF0 to SOF15, but for the tables and codings that share their range.
                if (marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc) {
                    if (header != null || segment < 8) {
                        throw fault("is damaged: it says its size twice or not at all");
                    }
                    header = sized(Format.JPEG, big16(at + 5), big16(at + 7));
                }
                if (marker == 0xe1 && orientation == 1) {
                    orientation = Exif.orientation(file, at + 4, at + 2 + segment);
                }
                if (marker == 0xda) {
                    break;
                }
                at += 2 + segment;
            }
            if (header == null) {
                throw fault("is damaged: it has pixels before its size");
            }
            for (int end = length - 2; end > at; end--) {
                if (unsigned(end) == 0xff && unsigned(end + 1) == 0xd9) {
                    return noted(header, orientation, false);
                }
            }
            throw fault("is cut short: it has no end mark");
        }

        /** Every chunk has a checksum, so every damage shows. */
        private ImageHeader png() throws IOException {
            ImageHeader header = null;
            int orientation = 1;
            boolean transparent = false;
            var sum = new CRC32();
            for (int at = PNG.length; ; ) {
                if (length - at < 12) {
                    throw fault("is cut short");
                }
                long chunk = big32(at);
                if (chunk > length - at - 12) {
                    throw fault("is cut short");
                }
                int bytes = (int) chunk;
                sum.reset();
                sum.update(file, at + 4, bytes + 4);
                if (sum.getValue() != big32(at + 8 + bytes)) {
                    throw fault("is damaged: a checksum is wrong");
                }
                if (at == PNG.length) {
                    if (!startsWith(at + 4, 'I', 'H', 'D', 'R') || bytes != 13) {
                        throw fault("is damaged: it does not begin with its size");
                    }
                    header = sized(Format.PNG, big32(at + 12), big32(at + 8));
                    requireKindOfPng(at + 16);
                    transparent = (unsigned(at + 17) & 4) != 0;
                } else if (startsWith(at + 4, 't', 'R', 'N', 'S')) {
                    transparent = true;
                } else if (startsWith(at + 4, 'e', 'X', 'I', 'f')) {
                    orientation = Exif.orientation(file, at + 8, at + 8 + bytes);
                } else if (startsWith(at + 4, 'I', 'E', 'N', 'D')) {
                    return noted(header, orientation, transparent);
                }
                at += 12 + bytes;
            }
        }

        /** Depth, colours, compression, filter, interlacing: of others libpng would complain on the standard error. */
        private void requireKindOfPng(int at) throws IOException {
            String depths = switch (unsigned(at + 1)) {
                case 0 -> "1 2 4 8 16";
                case 2, 4, 6 -> "8 16";
                case 3 -> "1 2 4 8";
                default -> "";
            };
            boolean known = List.of(depths.split(" ")).contains(Integer.toString(unsigned(at)))
                    && unsigned(at + 2) == 0
                    && unsigned(at + 3) == 0
                    && unsigned(at + 4) <= 1;
            if (!known) {
                throw fault("is a PNG of a kind that does not exist: it is damaged, or was written wrongly");
            }
        }

        private ImageHeader webp() throws IOException {
            if (length < 30 || little32(4) > length - 8L) {
                throw fault("is cut short");
            }
            if (startsWith(12, 'V', 'P', '8', ' ')) {
                return sized(Format.WEBP, little16(28) & 0x3fff, little16(26) & 0x3fff);
            }
            if (startsWith(12, 'V', 'P', '8', 'L')) {
                long bits = little32(21);
                var header = sized(Format.WEBP, ((bits >> 14) & 0x3fff) + 1, (bits & 0x3fff) + 1);
                return noted(header, 1, (bits >> 28 & 1) != 0);
            }
            if (startsWith(12, 'V', 'P', '8', 'X')) {
                if ((unsigned(20) & 2) != 0) {
                    throw fault("is an animation, no single image");
                }
                var header = sized(Format.WEBP, (little32(27) & 0xffffff) + 1, (little32(24) & 0xffffff) + 1);
                return noted(header, webpOrientation(), (unsigned(20) & 0x10) != 0);
            }
            throw fault("is damaged: it does not begin with its size");
        }

        /** Of the chunk that has it, which comes after the pixels; each is filled up to an even length. */
        private int webpOrientation() throws IOException {
            for (long at = 12; at + 8 <= length; ) {
                long bytes = little32((int) at + 4);
                if (startsWith((int) at, 'E', 'X', 'I', 'F')) {
                    return Exif.orientation(file, (int) at + 8, (int) Math.min(length, at + 8 + bytes));
                }
                at += 8 + bytes + (bytes & 1);
            }
            return 1;
        }

        private ImageHeader bmp() throws IOException {
            if (length < 30) {
                throw fault("is cut short");
            }
            if (little32(14) < 40) {
                throw fault("is a BMP of a kind older than 1990: convert it");
            }
            // A negative height says that the top row comes first.
            return sized(Format.BMP, Math.abs((long) (int) little32(22)), little32(18));
        }

        private ImageHeader sized(Format format, long height, long width) throws IOException {
            if (height < 1 || width < 1) {
                throw fault("is damaged: it says it is %d x %d pixels".formatted(height, width));
            }
            // Each below 2^32, so the product is told from its high half.
            if (height > MOST_PIXELS || width > MOST_PIXELS || height * width > MOST_PIXELS) {
                throw fault("is %d x %d pixels, more than the %d that are read: make it smaller"
                        .formatted(height, width, MOST_PIXELS));
            }
            return new ImageHeader(format, (int) height, (int) width);
        }

        private static ImageHeader noted(ImageHeader header, int orientation, boolean transparent) {
            return new ImageHeader(header.format, header.height, header.width, orientation, transparent);
        }

        private boolean startsWith(int at, int... bytes) {
            if (bytes.length > length - at) {
                return false;
            }
            for (int i = 0; i < bytes.length; i++) {
                if (unsigned(at + i) != bytes[i]) {
                    return false;
                }
            }
            return true;
        }

        private int unsigned(int at) {
            return Byte.toUnsignedInt(file[at]);
        }

        private int big16(int at) throws IOException {
            requireThere(at, 2);
            return unsigned(at) << 8 | unsigned(at + 1);
        }

        private long big32(int at) throws IOException {
            requireThere(at, 4);
            return (long) big16(at) << 16 | big16(at + 2);
        }

        private int little16(int at) throws IOException {
            requireThere(at, 2);
            return unsigned(at) | unsigned(at + 1) << 8;
        }

        /** The last three of four bytes may be all there is: see the callers. */
        private long little32(int at) throws IOException {
            requireThere(at, 3);
            long high = at + 3 < length ? unsigned(at + 3) : 0;
            return little16(at) | (long) unsigned(at + 2) << 16 | high << 24;
        }

        private void requireThere(int at, int bytes) throws IOException {
            if (bytes > length - at) {
                throw fault("is cut short");
            }
        }

        private IOException fault(String sentence) {
            return new IOException(name + " " + sentence);
        }
    }
}
